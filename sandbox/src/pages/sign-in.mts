import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escape } from '../../../service/src/pages/html.mts';
import { SANDBOX } from '../process/folder.mts';
import type { User } from '../../../service/src/store/users.mts';

const STYLE = readFileSync(join(SANDBOX, 'src', 'pages', 'sign-in.css'), 'utf8');

function layout(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escape(title)}</h1>
${content}
</main>
</html>
`;
}

/** The permission that a scope grants, as shown to the user. */
const SCOPE_TEXTS: Record<string, string> = {
	openid: 'Know who you are: user ID, username, wallet address and picture',
	email: 'See your email address',
	offline_access: 'Stay connected while you are away, until you end it',
};

/** Lets a person choose the user to sign in as. */
export function loginPage(
	action: string,
	clientName: string,
	users: { user: User; imageSrc: string }[],
): string {
	const choices = users.map(
		({ user, imageSrc }) =>
			`<li><button class="user" name="userId" value="${escape(user.id)}"><img src="${escape(imageSrc)}" width="40" height="40" alt=""><span>${escape(user.username)}<small>${escape(user.id)}</small></span></button></li>`,
	);
	return layout(
		'Sign in to the wallet service',
		`<p>${escape(clientName)} asks for access. These are the users of the sandbox; no password is needed.</p>
<form method="post" action="${escape(action)}"><ul>${choices.join('\n')}</ul></form>`,
	);
}

/** Asks a person whether an application may act for them. */
export function consentPage(
	action: string,
	clientName: string,
	user: User,
	scopes: string[],
): string {
	const texts = scopes.map((scope) => `<li>${escape(SCOPE_TEXTS[scope] ?? scope)}</li>`);
	return layout(
		`Allow ${clientName} to use your wallet?`,
		`<p>You are signed in as <strong>${escape(user.username)}</strong> (${escape(user.id)}), wallet <code>${escape(user.address)}</code>.</p>
<p>${escape(clientName)} will be able to look up users, balances and transfers, and to <strong>submit transactions from your wallet</strong>. It also asks to:</p>
<ul class="scopes">${texts.join('\n')}</ul>
<form method="post" action="${escape(action)}" class="actions"><a href="?as=another">Use another user</a><button name="decision" value="deny">Deny</button><button name="decision" value="allow" class="main">Allow</button></form>`,
	);
}

/** Reports an error in a request that cannot end in a redirect to the application. */
export function errorPage(code: string, description: string): string {
	return layout(
		'This does not work',
		`<p>${escape(description)}</p><p><code>${escape(code)}</code></p><p>Nothing was granted. Close this window, and start again from the application.</p>`,
	);
}
