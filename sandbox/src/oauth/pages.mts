import { escape } from '../routes/html.mts';
import type { User } from '../wallets/directory.mts';

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f3f4f8,#16171d);color:light-dark(#1c1d26,#eceef5)}main{box-sizing:border-box;width:min(30rem,100vw);padding:2rem;border-radius:.75rem;background:light-dark(#fff,#22242e);box-shadow:0 .5rem 2rem #0002}h1{font-size:1.35rem;margin:0 0 .5rem}p{margin:.5rem 0}ul{list-style:none;margin:1.25rem 0;padding:0;display:grid;gap:.5rem}.scopes li{padding-left:1.5rem;position:relative}.scopes li::before{content:"\\2713";position:absolute;left:0;color:light-dark(#2f6f4f,#7fd1a6)}button{font:inherit;cursor:pointer;border-radius:.5rem;border:1px solid light-dark(#c9ccd8,#454858);background:transparent;color:inherit;padding:.6rem 1rem}button:hover,button:focus-visible{border-color:light-dark(#4353d6,#98a4ff);outline:2px solid light-dark(#4353d6,#98a4ff);outline-offset:1px}.user{width:100%;display:flex;gap:.75rem;align-items:center;text-align:left}.user img{border-radius:50%}.user small{display:block;opacity:.75}.main{background:light-dark(#4353d6,#98a4ff);border-color:transparent;color:light-dark(#fff,#16171d)}.actions{display:flex;gap:.75rem;align-items:center}.actions a{margin-right:auto;color:inherit}code{word-break:break-all}`;

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

/** What a person agrees to with a scope. */
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

/** Tells of a request that cannot be answered by sending the person back to the application. */
export function errorPage(code: string, description: string): string {
	return layout(
		'This does not work',
		`<p>${escape(description)}</p><p><code>${escape(code)}</code></p><p>Nothing was granted. Close this window, and start again from the application.</p>`,
	);
}
