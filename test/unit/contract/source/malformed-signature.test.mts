import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { refusalOf } from '../../support/refusal.mts';

/** Signatures with «the wrong part» marked, and words of the explanation. */
const malformed: [string, RegExp][] = [
	['f(«uint7»)', /no type has this size.*uint8 to uint256/],
	['f(«uint0»)', /no type has this size/],
	['f(«uint264»)', /no type has this size/],
	['f(«uint08»)', /no type has this size/],
	['f(«int12» x)', /no type has this size.*int8 to int256/],
	['f(«bytes33»)', /no type has this size.*bytes1 to bytes32/],
	['f(«bytes0»)', /no type has this size/],
	['f(address, «Address» to)', /lower case: address/],
	['f(«UINT256»)', /lower case: uint256/],
	['f(«IERC20» token)', /not a type of the ABI.*Write address for a contract/],
	['f(«number»)', /not a type of the ABI/],
	['f(«mapping»(address => uint256))', /not a type of the ABI/],
	['f(«function» (uint256) external cb)', /not a type of the ABI/],
	['f(«toString»)', /not a type of the ABI/],
	['f(uint256,«,» address)', /a type is expected/],
	['f(uint256,«)»', /a type is expected/],
	['f(«,»uint256)', /a type is expected/],
	['f(«0x12», uint256)', /a value, not a type/],
	['f(address «uint256»)', /already has a type.*comma/],
	['f(uint256 a «b»)', /"," or "\)" is expected/],
	['f(uint256 a«;» uint256 b)', /"," or "\)" is expected/],
	['f(uint256 a, address «a»)', /used twice/],
	['f(uint256 «view»)', /cannot be a parameter name/],
	['f(uint256 «indexed» a)', /only events/],
	['f(uint256 «payable» a)', /only an address/],
	['f(uint256[] «payable» a)', /only an address/],
	['f((address, «uint9»)[] x)', /no type has this size/],
	['f((address, uint96«]»)', /"," or "\)" is expected/],
	['f((«)»)', /at least one member/],
	['f(uint256[«-»1])', /an array length/],
	['f(uint256[«0»])', /an array length/],
	['f(uint256[«n»])', /an array length/],
	['f(uint256[«03»])', /an array length/],
	['f(uint256[3«)»', /not closed/],
	['f(uint256«»', /"," or "\)" is expected.*after the "\(" at character 2/],
	['f(uint256 a, (address b«»', /at character 14/],
	['f«»', /"\(" is expected/],
	['f «uint256»', /"\(" is expected/],
	['uint256 «f»()', /"\(" is expected/],
	['«(»uint256)', /name of the function is expected/],
	['function «(»uint256)', /name of the function is expected/],
	['«0xa9059cbb»', /4-byte selector/],
	['«1f»(uint256)', /cannot start with a digit/],
	['«[»{"type":"function"}]', /JSON.*Contract ABI/],
	['«{»"abi":[]}', /JSON.*Contract ABI/],
	['«event» Transfer(address from)', /not a function/],
	['«constructor»(uint256)', /not a function/],
	['«error» Broken(uint256)', /not a function/],
	['«receive»() external payable', /not a function/],
	['f() «View»', /not allowed here.*external, public, view/],
	['f() external «viewreturns» (uint256)', /not allowed here/],
	['f() «uint256»', /not allowed here/],
	['f() external «function» g()', /not allowed here/],
	['f() «gives» (uint256)', /not allowed here/],
	['function f() «gives» (uint256)', /not allowed here.*returns/],
	['function f(uint256) «g»(address to)', /not allowed here/],
	['f() «veiw»', /not allowed here/],
	['f() external «onlyOwner»', /not allowed here.*require "function"/],
	['f() «only»(ADMIN)', /not allowed here/],
	['function f() only«(»ADMIN', /never closed/],
	['function f() Roles.«(»)', /name of a modifier is expected/],
	['f() «internal»', /cannot be called from outside/],
	['f() external «public»', /contradicts "external"/],
	['f() view «payable»', /contradicts "view"/],
	['f() view «view»', /appears twice/],
	['f() «return» (uint256)', /the word is "returns"/],
	['f() view «/*» returns (uint256)', /comment is never closed/],
	['«/*»/ f()', /comment is never closed/],
	['f() returns «uint256»', /"\(" is expected/],
	['f() returns (uint256) «view»', /nothing can follow/],
	['f() returns (uint256 a, bool «a»)', /used twice/],
	['f() «-»> uint256', /nothing can follow/],
	['f(); «g»()', /only one function/],
	['f() { a; } «function» g() {}', /only one function/],
	['f() «{» a; { b; }', /never closed/],
	['f() override«(»A', /never closed/],
	['f()«)»', /nothing can follow/],
	['f(uint256 a«.»b)', /"," or "\)" is expected/],
	['token«.»transfer(address)', /"\(" is expected/],
	['«\u{1F30D}»(uint256)', /name of the function is expected/],
];

const refusal = (signature: string) => refusalOf(() => parseSignature(signature, 'signature'));

describe('parseSignature refuses', () => {
	it('at least 40 malformed signatures', () => {
		expect(new Set(malformed.map(([marked]) => marked)).size).toBeGreaterThanOrEqual(40);
	});

	it.each(malformed)('%s', (marked, explanation) => {
		const start = marked.indexOf('«');
		const part = marked.slice(start + 1, marked.indexOf('»'));
		const signature = marked.replace(/[«»]/g, '');
		const { message, hint, parameter, value } = refusal(signature);
		const place = part === '' ? 'At the end: ' : `At character ${start + 1}, "${part}": `;
		expect(message.slice(0, place.length)).toBe(place);
		expect(`${message} ${hint}`).toMatch(explanation);
		expect(hint).not.toBe('');
		expect([parameter, value]).toEqual(['signature', signature]);
	});

	it.each([
		['', 'The function signature is empty'],
		[undefined, 'The function signature is empty'],
		['  ', '" " is not a function signature'],
		[null, 'null is not a function signature'],
		[12, '12 is not a function signature'],
		[{ type: 'function' }, '{"type":"function"} is not a function signature'],
	])('%j', (value, message) => {
		expect(refusalOf(() => parseSignature(value)).message).toBe(message);
	});

	it('nesting without end, without running out of stack', () => {
		expect(() => parseSignature(`f(${'('.repeat(19_000)}`)).toThrow(/nested too deep/);
		expect(() => parseSignature(`f(uint256${'[]'.repeat(9_000)})`)).toThrow(/nested too deep/);
		expect(() => parseSignature(`function f() only${'('.repeat(19_000)}`)).toThrow(/never closed/);
	});

	it('a long text, of which it quotes only a part', () => {
		const { message } = refusal(`f(${'uint256,'.repeat(2000)}uint7)`);
		expect(message).toContain('At character 16003, "uint7"');
		expect(message.length).toBeLessThan(300);
	});
});
