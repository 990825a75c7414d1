import { formatEther } from 'ethers';
import { shortened } from '../operation/log.mts';
import { unlisted, type OpenWrite } from '../store/overview.mts';
import type { ServiceState, WatchedWallet } from '../operation/watch.mts';
import { escape } from './html.mts';

/** Time after which the page loads itself again, in seconds. */
const REFRESH = 30;

export const STATUS_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: light-dark(#f3f4f8, #16171d); color: light-dark(#1c1d26, #eceef5); }
h1 { font-size: 1.4rem; margin: .5rem 0 0; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
header p { margin: 0 0 1rem; color: light-dark(#5b5e70, #a3a7ba); }
section { background: light-dark(#fff, #22242e); border-radius: .6rem; padding: 1rem; margin: 0 0 1rem; overflow-x: auto; }
.good, .bad { border-left: .3rem solid light-dark(#1a7f4b, #4ec98a); }
.bad { border-color: light-dark(#b3261e, #ff8a80); }
.good p, .bad ul { margin: 0; }
.bad ul { padding-left: 1.2rem; }
.bad p { margin: .5rem 0 0; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; color: light-dark(#5b5e70, #a3a7ba); font-size: .85rem; }
th, td { padding: .3rem 1rem .3rem 0; vertical-align: top; }
tr + tr td { border-top: 1px solid light-dark(#e4e6ee, #343743); }
.code { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
.alarm { color: light-dark(#b3261e, #ff8a80); font-weight: 600; }
a { color: inherit; }
@media (max-width: 40rem) {
	thead { display: none; }
	tr, td { display: block; border: 0 !important; padding: .1rem 0; }
	tr { padding: .5rem 0; }
	tr + tr { border-top: 1px solid light-dark(#e4e6ee, #343743) !important; }
	td[data-label]::before { content: attr(data-label) ": "; color: light-dark(#5b5e70, #a3a7ba); font: 400 1rem system-ui, sans-serif; }
}`;

/** What to do about a problem, by its code. */
const REMEDIES: Partial<Record<string, string>> = {
	database_not_writable: 'Free space on the disk, or see that the PostgreSQL server runs.',
	keys_locked: 'Restart the service with the password of its key file.',
	endpoint_silent: 'Other endpoints take over. If it stays silent, ask its company or replace it.',
	endpoints_differ:
		'Compare with a block explorer which of them is behind, and replace it if that remains.',
	endpoint_foreign: 'It is left out until it is back. Tell its company, or replace it.',
	endpoint_lacking: 'It is asked last. Tell its company, or replace it.',
	write_open: 'It is decided once the endpoints have its receipt. Compare with a block explorer.',
	head_old: 'The network stands still, or the endpoints do: compare with a block explorer.',
	write_stuck: 'See the log. The service goes on sending it; wallet cancel ends it.',
	giving_up_waits:
		'Wait until gas is cheaper, raise maxGasPrice or maxGasCost, or fund the wallet.',
	history_old: 'Until it is read again, histories are not answered. See the log.',
	history_unconfirmed:
		'The history waits there. Compare with a block explorer, and replace the endpoint that is wrong.',
	wallet_closed: 'See below.',
	gas_low: 'Send native coin to the wallets that are marked below.',
	station_low: 'Send native coin to the wallet of the gas station.',
};

/** A cell: text, or text with a class or a link. */
type Cell = string | { text: string; kind?: 'code' | 'alarm'; href?: string };

function cell(value: Cell | undefined, label: string): string {
	const { text, kind, href } = typeof value === 'object' ? value : { text: value ?? '' };
	const content =
		href === undefined ? escape(text) : `<a href="${escape(href)}">${escape(text)}</a>`;
	return `<td data-label="${escape(label)}"${kind === undefined ? '' : ` class="${kind}"`}>${content}</td>`;
}

function table(title: string, columns: string[], rows: Cell[][]): string {
	if (rows.length === 0) return `<section><h2>${escape(title)}</h2></section>`;
	const head = columns.map((column) => `<th scope="col">${escape(column)}</th>`).join('');
	const body = rows.map((row) => {
		return `<tr>${columns.map((column, place) => cell(row[place], column)).join('')}</tr>`;
	});
	return `<section><h2>${escape(title)}</h2><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></section>`;
}

function duration(seconds: number): string {
	if (seconds < 120) return `${seconds} s`;
	return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

function stateOf({ state, last_refusal: refusal, waiting_reason: waiting }: OpenWrite): string {
	if (waiting !== null) return `waits to be given up: ${waiting}`;
	if (refusal !== null) return `refused: ${refusal}`;
	return state === 'signed' ? 'not taken yet' : 'taken';
}

function summary({ problems }: ServiceState): string {
	if (problems.length === 0) {
		return '<section class="good"><h2>Everything works</h2><p>There is nothing to do.</p></section>';
	}
	const items = problems.map(({ code, text }) => {
		const remedy = REMEDIES[code];
		return `<li><strong>${escape(text)}.</strong>${remedy === undefined ? '' : ` ${escape(remedy)}`}</li>`;
	});
	return `<section class="bad"><h2>To do</h2><ul>${items.join('\n')}</ul></section>`;
}

function closed(wallets: WatchedWallet[]): string {
	const items = wallets.map(({ userId, address, closed_reason: reason }) => {
		return `<li><strong>${escape(userId)}</strong> <span class="code">${escape(address)}</span><br>${escape(reason ?? '')}</li>`;
	});
	return `<section class="bad"><h2>Closed wallets</h2><ul>${items.join('\n')}</ul>
<p>They sign nothing. Find out in the block explorer which transactions the service did not sign. If somebody else has the key, move the
money first: <span class="code">wallet export</span>. Otherwise open the wallet again on the command line: <span class="code">wallet reconcile</span> with its user ID.</p></section>`;
}

/** Shows how the service is to a person without a command line. @param linkTo page of a wallet in the block explorer */
export function statusPage(state: ServiceState, linkTo: (address: string) => string): string {
	const { network, chainId, head, endpoints, open, wallets, at } = state;
	const shut = wallets.filter((wallet) => wallet.state === 'closed');
	const { signed, accepted, mined } = open.counts;
	const now = at.getTime();
	const sections = [
		summary(state),
		...(shut.length === 0 ? [] : [closed(shut)]),
		table(
			'Endpoints of the network',
			['Endpoint', 'Newest block', 'First seen', 'State'],
			endpoints.map(({ name, head: own, headAge, isAnswering }) => [
				...[name, String(own), `${duration(headAge)} ago`],
				isAnswering ? 'answers' : { text: 'does not answer', kind: 'alarm' as const },
			]),
		),
		table(
			`Writes: ${signed + accepted} in no block, ${mined} not final`,
			['User', 'Key', 'Contract', 'Since', 'State'],
			[
				...open.oldest.map((write) => {
					const { user_id: user, key, to_address: text, created_at: since } = write;
					const age = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
					return [
						...[user, shortened(key), { text, kind: 'code' as const }, duration(age)],
						stateOf(write),
					];
				}),
				...unlisted(open, open.oldest.length).map((more) => [more]),
			],
		),
		table(
			`Wallets: ${wallets.length}`,
			['User', 'Address', 'Coin for gas', 'State'],
			wallets.map(({ userId, address: text, balance, isLow, state: own, disabled_at: end }) => {
				const coin = balance === undefined ? 'unknown' : formatEther(balance);
				const amount = balance === undefined ? coin : `${coin} ${network.symbol}`;
				return [
					userId,
					{ text, kind: 'code' as const, href: linkTo(text) },
					isLow ? { text: `${amount}, low`, kind: 'alarm' as const } : amount,
					own === 'closed'
						? { text: 'closed', kind: 'alarm' as const }
						: end === null
							? 'open'
							: 'user disabled',
				];
			}),
		),
	];
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${REFRESH}">
<title>Wallet service: ${state.problems.length === 0 ? 'works' : `${state.problems.length} to do`}</title>
<style>${STATUS_STYLE}</style>
<header><h1>Wallet service for ${escape(network.name)}</h1>
<p>Chain ${chainId}, block ${head}. ${at.toISOString().slice(0, 19).replace('T', ' ')} UTC; loads again every ${REFRESH} seconds.</p></header>
<main>${sections.join('\n')}</main>
</html>
`;
}
