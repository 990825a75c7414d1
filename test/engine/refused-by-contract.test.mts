/** What a token contract refuses is said in plain words, as far as the call is known; no hash is lost for that. */
import type { IDataObject } from 'n8n-workflow';

import { BOB, hashOf, TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();

const CAROL = `0x${'c3'.repeat(20)}`;

const write = (abi: string, args: readonly unknown[]): IDataObject => ({
	...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
	...{ contractAddress: TOKEN, abi, argumentsMode: 'json', args: JSON.stringify(args) },
});

describe('a refusal of the contract is said in words', () => {
	const ART = { tokenStandard: 'erc721', pieceId: '2' };
	const ITEMS = { tokenStandard: 'erc1155', pieceId: '7', amount: '3' };
	const OF_ANOTHER = write('safeTransferFrom(address from, address to, uint256 tokenId)', [
		...[CAROL, BOB.id, '2'],
	]);
	const SPEND = write('transferFrom(address from, address to, uint256 amount) returns (bool)', [
		CAROL,
		BOB.id,
		'5',
	]);
	const APPROVAL = 'ERC721 insufficient approval: operator 0x7099, tokenId 2';

	test.each<[parameters: IDataObject, said: string, words: string]>([
		[ART, APPROVAL, 'DISCORD-1 does not own SUSD #2'],
		[ART, 'reverted: ERC721InsufficientApproval(0x7099)', 'DISCORD-1 does not own SUSD #2'],
		[OF_ANOTHER, APPROVAL, `The wallet of the credential may not send ${TOKEN} #2: it belongs to`],
		[OF_ANOTHER, 'ERC721IncorrectOwner', `${CAROL} does not own ${TOKEN} #2`],
		[ART, 'ERC721 nonexistent token: tokenId 2', 'There is no SUSD #2'],
		[ART, 'ERC721 invalid receiver: 0x1', 'GOOGLE-2 (0xb2b2…b2b2) is a contract that does not'],
		[ITEMS, 'ERC1155 insufficient balance', `DISCORD-1 does not have 3 of #7 of ${TOKEN}`],
		[SPEND, 'ERC20 insufficient allowance', 'The wallet of the credential may not send 5 base'],
		[{}, 'ERC20 insufficient balance', 'DISCORD-1 does not have 12.5 SUSD'],
		// What is not known is said in the words of the service.
		[ART, 'The art is on loan', 'The art is on loan'],
		[write('mint(uint256)', ['1']), APPROVAL, APPROVAL],
	])('%#: %s', async (parameters, error, words) => {
		sends.answers.push({ body: JSON.stringify({ status: 'FAILED', error }) });
		const result = await sends.run(parameters);
		expect(result.error?.message.startsWith(words)).toBe(true);
		const details = { outcome: 'refused', code: 'service-failed', serviceText: error };
		expect(result.error).toMatchObject({ context: { details }, httpCode: null });
		expect(result.error?.description).not.toMatch(/HTTP|\/v1\/|service says/);
	});

	test('unless it names a transaction, which is not to be lost', async () => {
		const error = `${APPROVAL}, in ${hashOf(9)}`;
		sends.answers.push({ body: JSON.stringify({ status: 'FAILED', error }) });
		const { error: failure } = await sends.run(ART);
		expect(failure?.message).toContain(`it names the transaction ${hashOf(9)}`);
		expect(failure).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	});
});
