import type { AxiosInstance } from 'axios';
import type { JsonObject } from '../files/json.mts';
import { readList, readObject, readText } from '../files/json.mts';

/** The data tables of n8n, whose columns here all hold text. */
export interface DataTables {
	/** Creates a data table, unless there is one of that name. @param rows - To begin with. */
	createDataTable(name: string, columns: string[], rows: JsonObject[]): Promise<void>;
	/** Adds rows to the data table of this name. */
	addDataTableRows(name: string, rows: JsonObject[]): Promise<void>;
	/** Changes the row of the data table of this name whose column `id` holds the number. */
	changeDataTableRow(name: string, id: number, columns: JsonObject): Promise<void>;
	/** All rows of the data table of this name, in the order in which they came. */
	dataTableRows(name: string): Promise<JsonObject[]>;
}

/**
 * @param http - Signed in to n8n's own REST API.
 * @param projectPath - Gives the path of the project whose tables they are.
 */
export function dataTables(http: AxiosInstance, projectPath: () => Promise<string>): DataTables {
	const tablesPath = async () => `${await projectPath()}/data-tables`;
	const listAt = async (url: string, what: string) => {
		const { data } = await http.get(url);
		const { data: list } = readObject(readObject(data, 'the answer').data, what);
		return readList(list, what).map((one) => readObject(one, what));
	};
	const tablePath = async (name: string) => {
		const path = await tablesPath();
		const table = (await listAt(path, 'the tables')).find((one) => one.name === name);
		return `${path}/${readText(table?.id, `the id of the table ${name}`)}`;
	};
	const addDataTableRows = async (name: string, rows: JsonObject[]) => {
		await http.post(`${await tablePath(name)}/insert`, { data: rows, returnType: 'count' });
	};
	return {
		addDataTableRows,
		async createDataTable(name, columns, rows) {
			const table = { name, columns: columns.map((column) => ({ name: column, type: 'string' })) };
			const isKnown = (status: number) => status === 200 || status === 409;
			const path = await tablesPath();
			const { status } = await http.post(path, table, { validateStatus: isKnown });
			if (status !== 409) await addDataTableRows(name, rows);
		},
		async changeDataTableRow(name, id, columns) {
			const filters = [{ columnName: 'id', condition: 'eq', value: id }];
			const change = { filter: { type: 'and', filters }, data: columns };
			await http.patch(`${await tablePath(name)}/rows`, change);
		},
		async dataTableRows(name) {
			return await listAt(`${await tablePath(name)}/rows`, 'the rows');
		},
	};
}
