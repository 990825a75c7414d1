/** What n8n's workflow builder is told of the node speaks of parameters and operations that there are. */
import { WalletService } from '../../../nodes/WalletService/WalletService.node.ts';
import { listOperations } from '../../support/operations.mts';

const { builderHint, properties } = new WalletService().description;
const hint = builderHint?.searchHint ?? '';

test('its parameters', () => {
	const named = ['preview', ...(hint.match(/\b[a-z]+[A-Z]\w*\b/g) ?? [])];
	expect(named).toEqual(['preview', 'compareWith', 'onlyWhere', 'userId']);
	expect(hint).toContain('switch preview on');
	const names = properties.map(({ name }) => name);
	expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test('its operations', () => {
	const titles = listOperations().map(({ title }) => title);
	const named = titles.filter((title) => hint.includes(title));
	expect(named.sort()).toEqual(['Contract: Write', 'History: Find Transfer', 'Token: Send']);
});
