/** Where a user is found (interface, section 4.1). */
export const USER_ROUTE = '/v1/users/:userId';
