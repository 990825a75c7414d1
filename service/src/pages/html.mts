import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Media type of a page. */
export const HTML = 'text/html; charset=utf-8';

/** Headers with which a browser loads nothing but a page with a style sheet, and shows it in no frame. */
export const pageHeaders = (style: string = STYLE): FastifyHelmetOptions => ({
	contentSecurityPolicy: {
		useDefaults: false,
		directives: {
			defaultSrc: ["'none'"],
			styleSrc: [`'sha256-${createHash('sha256').update(style).digest('base64')}'`],
			baseUri: ["'none'"],
			formAction: ["'none'"],
			frameAncestors: ["'none'"],
		},
	},
	// Other pages show the avatars.
	crossOriginResourcePolicy: { policy: 'cross-origin' },
	// A proxy with TLS decides about it.
	strictTransportSecurity: false,
});

const STYLE = `body { font: 1rem/1.5 system-ui; margin: 2rem; }
th { text-align: left; padding-right: 2rem; vertical-align: top; }
td { word-break: break-all; font-family: monospace; }`;

/** A label, its value, and the value's link. */
export type Row = [label: string, value: string, href?: string];

const ESCAPES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for HTML, including attribute values. */
export function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function cell(value: string, href: string | undefined): string {
	return href === undefined ? escape(value) : `<a href="${escape(href)}">${escape(value)}</a>`;
}

/** Renders a page with a title and a table of rows. */
export function page(title: string, rows: Row[]): string {
	const body = rows.map(([label, value, href]) => {
		return `<tr><th scope="row">${escape(label)}</th><td>${cell(value, href)}</td></tr>`;
	});
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<h1>${escape(title)}</h1>
<table>${body.join('')}</table>
</html>
`;
}
