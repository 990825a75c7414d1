/** Where reads go (interface, section 4.5). */
export const READ_ROUTE = '/v1/contracts/method/read';
