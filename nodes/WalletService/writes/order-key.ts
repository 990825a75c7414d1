/** Keys of a service are printable ASCII. */
const BEYOND_ASCII = /[^\x20-\x7e]/u;
const ENCODED = /[^\x20-\x24\x26-\x7e]+/gu;

/**
 * The key under which a service keeps an order: its text, or if that has other letters than those of ASCII, their
 * percent-encoding behind a mark with which no Order ID begins.
 *
 * @example orderKey('INV/7') // 'INV/7'
 * @example orderKey('März-1') // ' u M%C3%A4rz-1'
 */
export const orderKey = (orderId: string): string =>
	BEYOND_ASCII.test(orderId) ? ` u ${orderId.replace(ENCODED, encodeURIComponent)}` : orderId;

const OF_PLACE = /^n8n-[0-9a-f]{64}$/;
const ORDINAL = /^ \d+ /;

/**
 * The key of the order that a key of a write belongs to, also after it was certainly not carried out; `undefined` for the key
 * of a place.
 *
 * @example orderOf(' 1 INV/7') // 'INV/7'
 */
export const orderOf = (key: string): string | undefined =>
	OF_PLACE.test(key) ? undefined : key.replace(ORDINAL, '');
