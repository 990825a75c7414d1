/** The fields of a credential that hold its policy, as n8n's form needs them. */
import {
	spendingPolicyFields,
	spendingPolicyForm,
} from '../../../../nodes/WalletService/writes/policy/policy-fields.ts';

test('without an entry of the user they allow everything, and none hides another', () => {
	const shape = spendingPolicyFields.map((field) => [
		...[field.name, field.displayName, field.type, field.default],
	]);
	expect(shape).toEqual([
		['allowWrites', 'Allow Writes', 'boolean', true],
		['allowedContracts', 'Allowed Contracts', 'string', ''],
		['allowedFunctions', 'Allowed Functions', 'string', ''],
		['allowedRecipients', 'Allowed Recipients', 'string', ''],
		['amountLimits', 'Token Limits', 'string', ''],
		['maxValuePerCall', 'Max Native Coin per Call', 'string', ''],
		['maxValuePerExecution', 'Max Native Coin per Execution', 'string', ''],
	]);
	// n8n removes hidden fields from a credential, and with them the limits.
	expect(spendingPolicyFields.filter((field) => 'displayOptions' in field)).toEqual([]);
});

test('the form shows them all, under a heading that holds nothing', () => {
	const [heading, ...fields] = spendingPolicyForm;
	expect(heading?.type).toBe('notice');
	expect(fields).toEqual(spendingPolicyFields);
});

test('lists have room for several lines', () => {
	const lists = spendingPolicyFields.filter(({ typeOptions }) => typeOptions?.rows === 2);
	expect(lists.map(({ name }) => name)).toEqual([
		...['allowedContracts', 'allowedFunctions', 'allowedRecipients', 'amountLimits'],
	]);
});
