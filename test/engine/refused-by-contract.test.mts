/** A token contract's refusal is stated in plain words, as far as the call is known, without losing a hash. */
import type { IDataObject } from 'n8n-workflow';

import { failed, hashOf } from './support/answers.mts';
import { callOf, sendOf } from './support/kinds-of-writes.mts';
import { BOB, CAROL, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const ART = sendOf({ tokenStandard: 'erc721', pieceId: '2' });
const ITEMS = sendOf({ tokenStandard: 'erc1155', pieceId: '7', amount: '3' });
const FROM_CAROL = 'From(address from, address to, uint256';
const OF_ANOTHER = callOf(`safeTransfer${FROM_CAROL} tokenId)`, [CAROL, BOB.id, '2']);
const SPEND = callOf(`transfer${FROM_CAROL} amount) returns (bool)`, [CAROL, BOB.id, '5']);
const APPROVAL = 'ERC721 insufficient approval: operator 0x7099, tokenId 2';
const NOT_SENT = 'The wallet of the credential is not allowed to send';

test.each<[parameters: IDataObject, said: string, words: string]>([
	[ART, APPROVAL, 'DISCORD-1 does not own SUSD #2'],
	[ART, 'reverted: ERC721InsufficientApproval(0x7099)', 'DISCORD-1 does not own SUSD #2'],
	[OF_ANOTHER, APPROVAL, `${NOT_SENT} ${TOKEN} #2: the owner has not approved this wallet`],
	[OF_ANOTHER, 'ERC721IncorrectOwner', `${CAROL} does not own ${TOKEN} #2`],
	[ART, 'ERC721 nonexistent token: tokenId 2', 'SUSD #2 does not exist'],
	[ART, 'ERC721 invalid receiver: 0x1', 'GOOGLE-2 (0xb2b2…b2b2) is a contract that cannot receive'],
	[ITEMS, 'ERC1155 insufficient balance', `DISCORD-1 does not have 3 of #7 of ${TOKEN}`],
	[SPEND, 'ERC20 insufficient allowance', `${NOT_SENT} 5 base`],
	[sendOf(), 'ERC20 insufficient balance', 'DISCORD-1 does not have 12.5 SUSD'],
	// Unknown errors are reported in the service's words.
	[ART, 'The art is on loan', 'The art is on loan'],
	[callOf('mint(uint256)', ['1']), APPROVAL, APPROVAL],
])('%#: %s', async (parameters, serviceText, words) => {
	node.service.answer(failed(serviceText));
	const { error } = await node.run(parameters);
	expect(error?.message.startsWith(words)).toBe(true);
	const details = { outcome: 'refused', code: 'service-failed', serviceText };
	expect(error).toMatchObject({ context: { details }, httpCode: null });
	expect(error?.description).not.toMatch(/HTTP|\/v1\/|service reported/);
});

test('an answer with a transaction hash is not a refusal, and the hash is not lost', async () => {
	node.service.answer(failed(`${APPROVAL}, in ${hashOf(9)}`));
	const { error } = await node.run(ART);
	expect(error?.message).toContain(`the answer contains transaction ${hashOf(9)}`);
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
});
