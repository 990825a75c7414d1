/** Modifiers of a contract have any name. */
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';

it.each(
	'onlyOwner onlyRole whenNotPaused nonReentrant initializer reinitializer onlyInitializing onlyProxy notDelegated ifAdmin lock auth ensure note gated restricted authorized isOwner validRecipient checkDeadline requiresAuth pausable stoppable live cap throttle viaRouter viewOnly publicSale externalGuard _only $only A only2'.split(
		' ',
	),
)('takes %s for a modifier of the contract, with arguments and without', (word) => {
	for (const list of ['', '()', ' (ADMIN)', '(keccak256("A"), 2 ether, address(this), (a + b))']) {
		const { stateMutability, outputs } = parseSignature(
			`function f(uint256 a) external ${word}${list} payable returns (bool ok)`,
		);
		expect([stateMutability, outputs.length]).toEqual(['payable', 1]);
	}
});
