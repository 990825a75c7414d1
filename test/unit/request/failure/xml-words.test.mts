/** The service's own sentence in an XML error body, found as in JSON, without any markup. */
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { valueOfXml } from '../../../../nodes/WalletService/request/failure/xml-text.ts';
import { receive, successOf } from '../../../../nodes/WalletService/request/http/answer.ts';

const SAID = 'Recipient is on the sanctions list';
const PAGE = /^Something before the service answered/;

/** The failure for an answer. */
function failureOf(body: string, status = 400, token = 'abcd') {
	try {
		const answer = receive({ statusCode: status, headers: {}, body }, `Bearer ${token}`);
		successOf(answer, '/v1/contracts/method/write');
	} catch (error) {
		if (error instanceof ServiceError) return error.details;
	}
	throw new Error('The answer is a success');
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const SOAP = 'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"';

const BODIES: Record<string, string> = {
	'Amazon S3': `${XML}\n<Error><Code>AccessDenied</Code><Message>${SAID}</Message><RequestId>7 b</RequestId></Error>`,
	'Amazon IAM': `<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type><Code>E17</Code><Message>${SAID}</Message></Error><RequestId>4 c</RequestId></ErrorResponse>`,
	'Amazon EC2': `<Response><Errors><Error><Code>E17</Code><Message>${SAID}</Message></Error></Errors><RequestID>4</RequestID></Response>`,
	'Azure Storage': `\uFEFF${XML}<Error><Code>InvalidInput</Code><Message>\n\t${SAID}\n</Message></Error>`,
	'SOAP 1.1': `<s:Envelope ${SOAP}><s:Header><a>b c</a></s:Header><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring xml:lang="en">${SAID}.</faultstring><detail><trace>at org.x (A.java:7)</trace></detail></s:Fault></s:Body></s:Envelope>`,
	'SOAP 1.2': `<env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope"><env:Body><env:Fault><env:Code><env:Value>env:Sender</env:Value></env:Code><env:Reason><env:Text xml:lang="en-US">${SAID}</env:Text></env:Reason></env:Fault></env:Body></env:Envelope>`,
	'problem details': `${XML}<problem xmlns="urn:ietf:rfc:7807"><type>about:blank</type><title>Bad Request</title><detail>${SAID}</detail><status>400</status></problem>`,
	'ASP.NET Web API': `<Error xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><Message>${SAID}</Message></Error>`,
	'ASP.NET, text': `<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${SAID}</string>`,
	OData: `<m:error xmlns:m="http://docs.oasis-open.org/odata/ns/metadata"><m:code>7</m:code><m:message xml:lang="en-US">${SAID}</m:message></m:error>`,
	Twilio: `${XML}<TwilioResponse><RestException><Code>20404</Code><Message>${SAID}</Message><MoreInfo>https://x.example</MoreInfo><Status>404</Status></RestException></TwilioResponse>`,
	WSO2: `<am:fault xmlns:am="http://wso2.org/apimanager"><am:code>900901</am:code><am:type>Status report</am:type><am:message>Error</am:message><am:description>${SAID}</am:description></am:fault>`,
	Apigee: `<fault><faultstring>${SAID}</faultstring><detail><errorcode>oauth.v2.E17</errorcode></detail></fault>`,
	Spring: `<Map><timestamp>2026-11-26</timestamp><status>400</status><error>Bad Request</error><message>${SAID}</message><path>/v1/x</path></Map>`,
	Rails: `${XML}<errors type="array"><error>${SAID}</error></errors>`,
	Flickr: `<rsp stat="fail"><err code="17" msg="${SAID}" /></rsp>`,
	'an attribute in single quotes': `<error code='17' message='${SAID}'/>`,
	'a type with a sign': `<e><error a="x>y" code="7"/><message>${SAID}</message></e>`,
	CDATA: `<error><message><![CDATA[${SAID}]]></message></error>`,
	'HTML in CDATA': `<error><message><![CDATA[<p class="a">Recipient is <b>on</b> the sanctions list</p>]]></message></error>`,
	'escaped HTML':
		'<error><message>Recipient is &lt;b&gt;on&lt;/b&gt; the sanctions list</message></error>',
	'markup in the sentence':
		'<error><message>Recipient is <b>on</b> the sanctions list</message></error>',
	entities: '<error><message>Recipient is &#111;n the &#x73;anctions&#32;list</message></error>',
	comments: `<!-- <a> --><error><!-- x --><message><!-- y -->${SAID}<!-- z --></message></error><!-- b -->`,
	'a declaration with entities': `<!DOCTYPE e [<!ENTITY a "b c"><!ELEMENT e (#PCDATA)>]><e><message>${SAID}</message></e>`,
	'white space around': `\n \t<e>\n<message>${SAID}</message>\n</e>\n`,
};

test.each(Object.entries(BODIES))('%s', (_name, body) => {
	const details = { message: SAID, serviceText: expect.stringContaining(SAID), httpStatus: 400 };
	expect(failureOf(body)).toMatchObject(details);
	expect(failureOf(body, 500).message).toBe(`The service had an internal error: ${SAID}`);
	expect(failureOf(body, 200).message).toBe(
		`The service answered with XML instead of JSON (${SAID})`,
	);
});

test.each<[words: string, body: string]>([
	['to: may not be sanctioned', '<errors><to>may not be sanctioned</to></errors>'],
	[
		'first is wrong; second is wrong',
		'<e><error>first is wrong</error><error>second is wrong</error></e>',
	],
	[
		'to: may not be sanctioned; amount: must be positive',
		'<r><errors><to>may not be sanctioned</to><amount>must be positive</amount></errors></r>',
	],
	['The service did not accept the request: E17', '<Error><Code>E17</Code><Message/></Error>'],
	['The service did not accept the request', '<Error><Message>Bad Request</Message></Error>'],
	['Less than 5 ‹ 7 "more"', '<e><message>Less than 5 &lt; 7 &amp; &quot;more&quot;</message></e>'],
])('%s', (words, body) => {
	expect(failureOf(body).message).toBe(words);
});

test.each([
	'<html><head><title>403 Forbidden</title></head><body><p>Not for you</p></body></html>',
	`${XML}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Not for you</p></body></html>`,
	'<!doctype html><title>Not for you</title>',
	'<h1>Not for you</h1>',
	'<!-- a --><body>Not for you</body>',
	'<error><message>Not for you',
	'<error><message>Not for you</error></message>',
	'<error>Not < for you</error>',
	'<error>Not <for you</error>',
	'<error/>',
	'<a><b/></a>',
	'<>Not for you</>',
	'< error>Not for you</error>',
	`<e>${'<e>'.repeat(200)}Not for you${'</e>'.repeat(200)}</e>`,
])('%s is not an error of the service', (body) => {
	expect(failureOf(body).message).toMatch(PAGE);
});

test('an error in XML proves nothing about a user or a contract, which the service describes in JSON', () => {
	const body = BODIES.WSO2 ?? '';
	const codes = [400, 401, 403, 404, 408, 422, 429, 502].map(
		(status) => failureOf(body, status).code,
	);
	const odd = 'unreadable-answer';
	expect(codes).toEqual([
		...[odd, 'unauthorized', odd, odd, 'timeout', odd, 'rate-limited', 'service-error'],
	]);
});

test('a token is removed in any spelling of XML', () => {
	const token = 'ey/J0eXAi+OiJK.V1Qi';
	const spellings = [
		token,
		token.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;'),
		Array.from(token, (char) => `&#${char.charCodeAt(0)};`).join(''),
		`<![CDATA[${token.slice(0, 5)}]]>${token.slice(5)}`,
		`${token.slice(0, 5)}<!-- x -->${token.slice(5)}`,
	];
	for (const spelling of spellings) {
		for (const body of [
			`<e><message>about ${spelling}</message></e>`,
			`<e><message>${'x'.repeat(240)}${spelling}</message></e>`,
			`<e message="about ${spelling.includes('<') ? token : spelling}"/>`,
		]) {
			const { message } = failureOf(body, 400, token);
			expect(message).not.toContain(token.slice(0, 6));
			expect(message).not.toContain(token.slice(-6));
		}
	}
});

/** Maximum work for one body, in microseconds of CPU time. */
const MOST_WORK = 500_000;

test.each([
	...['<', '<a', '<a ', '<a>', '<a/>', '</a>', '<!--', '<![CDATA[', '<?', '<!', '&#', '&', '"'],
	...[
		'<a b="',
		"<a b='",
		'<a b="c" ',
		'<a b="c"',
		'<a><b>',
		'<a>x<b>y</b>',
		'<a>x',
		' ',
		'a=',
		'<a a=',
	],
	...['<a>x</a>', '<b/>', '<!-->', ']]>', '&lt;a', '<a b=c>', '<:', '<a\n'],
])('%j any number of times takes little work', (piece) => {
	for (const length of [99_000, 1_000_000]) {
		const many = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
		const before = process.cpuUsage();
		for (const body of [`<r>${many}</r>`, `<r a="${many}"/>`, `<r ${many}/>`, `<${many}`]) {
			valueOfXml(body, String);
			expect(failureOf(body).message.length).toBeLessThan(400);
		}
		const { user, system } = process.cpuUsage(before);
		expect(user + system < 4 * MOST_WORK ? 'little' : user + system).toBe('little');
	}
});
