import axios from 'axios';
import { readList, readObject } from '../../../tools/files/json.mts';
import { OWNER } from '../../../tools/n8n/rest-client.mts';

/** The functions of the list of executions in n8n's editor. */
export interface EditorSession {
	/** IDs of the running executions of a workflow, the latest first. */
	underWay(workflow: string): Promise<string[]>;
	/** Presses Stop. */
	stop(execution: string): Promise<void>;
}

/**
 * Signs in like the owner in the editor.
 *
 * @param url - Of an n8n that has its owner.
 */
export async function openEditor(url: string): Promise<EditorSession> {
	const http = axios.create({ baseURL: `${url}/rest` });
	const login = { emailOrLdapLoginId: OWNER.email, password: OWNER.password };
	const { headers } = await http.post('/login', login);
	http.defaults.headers.common.Cookie = headers['set-cookie']?.[0];
	return {
		async underWay(workflow) {
			const filter = JSON.stringify({ workflowId: workflow });
			const { data } = await http.get('/executions', { params: { filter } });
			const { results } = readObject(readObject(data, 'the answer').data, 'the executions');
			return readList(results, 'the executions')
				.map((one) => readObject(one, 'an execution'))
				.filter(({ status }) => status === 'running')
				.map(({ id }) => String(id));
		},
		async stop(execution) {
			await http.post(`/executions/${execution}/stop`);
		},
	};
}
