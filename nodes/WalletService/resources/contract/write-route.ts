/** Where writes go (interface, section 4.6). */
export const WRITE_ROUTE = '/v1/contracts/method/write';
