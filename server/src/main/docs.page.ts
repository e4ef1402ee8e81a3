import { createHash } from 'node:crypto';
import { DOCS_STYLE } from './docs-style.ts';
import { curlOf, exampleOf, secretOf } from './docs-examples.ts';
import type { ApiDocument, ApiOperation, ApiParameter, ApiSchema, ApiWebhook } from './api-document.ts';

/** A page and the headers it goes out with. */
export type Page = { readonly headers: Readonly<Record<string, string>>; readonly html: string };

type Route = { readonly method: string; readonly path: string; readonly operation: ApiOperation };

/**
 * Renders the OpenAPI document for people: one page without scripts that loads nothing, not even from here.
 * Shape: the document → HTML in UTF-8 and its headers; the policy admits the page's own style and nothing else.
 */
export function renderDocs(document: ApiDocument): Page {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Route => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    routes: routes.filter(({ operation }) => operation.tags.includes(name)),
    notices: Object.values(document.webhooks).flatMap(({ post }) => (post.tags.includes(name) ? post : [])),
  }));
  const { title, version, description } = document.info;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} – API</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p class="name">${escape(title)}</p><p class="version">API, release ${escape(version)} · <a href="/openapi.json">OpenAPI document</a></p></header>
<nav aria-label="Operations">
<ul>
<li><a href="#start">How it works</a></li>
<li><a href="#checksum">The checksum</a></li>
<li><a href="#faults">What is no business answer</a></li>
</ul>
${groups.map(({ name, routes: own, notices }) => `<h2>${escape(name)}</h2>\n<ul>${own.map(navLink).join('')}${notices.map(noticeLink).join('')}</ul>`).join('\n')}
</nav>
<main id="content">
<section id="start"><h1>The API</h1>${paragraphs(description)}</section>
${renderChecksum(routes)}
${groups.map((group) => `<h2 class="group">${escape(group.name)}</h2><p>${inline(group.description)}</p>${group.routes.map(renderOperation).join('')}${group.notices.map(renderNotice).join('')}`).join('\n')}
${renderFaults(document)}
</main>
</body>
</html>
`;
  const styleHash = createHash('sha256').update(DOCS_STYLE).digest('base64');
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text with `code` in it. */
const inline = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');

const badge = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;

const navLink = ({ method, operation }: Route): string =>
  `<li><a href="#${operation.operationId}">${badge(method)} ${escape(operation.summary)}</a></li>`;

const noticeLink = ({ operationId, summary }: ApiWebhook): string =>
  `<li><a href="#${operationId}">${badge('POST')} ${escape(summary)}</a></li>`;

const block = (text: string): string => `<pre tabindex="0"><code>${escape(text)}</code></pre>`;

function renderChecksum(routes: readonly Route[]): string {
  const signed = routes.filter(({ operation }) => operation['x-checksum'].length > 0);
  const rows = signed.map(
    ({ operation }) =>
      `<tr><th scope="row"><a href="#${operation.operationId}">${escape(operation.summary)}</a></th><td>${signedNames(operation)}</td></tr>`,
  );
  return `<section id="checksum"><h2>The checksum</h2>
<p>Write the values below one after another, exactly as they are sent and without anything between them; append the fixed hash that you were
given with your merchant, or the secret of your network; take SHA-512 over the UTF-8 bytes; send it as hexadecimal digits. The hash or secret itself is never sent.</p>
<table><thead><tr><th scope="col">Operation</th><th scope="col">Values, in order</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p>“As sent” means the very characters: the number <code>45000.00</code> goes into the checksum as <code>45000.00</code>, not as
<code>45000</code>, and the country <code>068</code> keeps its zero. If your JSON library prints numbers its own way, send amounts as texts.</p>
<h3>In a shell</h3>
<p>The commands on this page take the fixed hash from <code>$FIXED_HASH</code>, a network's secret from <code>$NETWORK_SECRET</code>, and the address of the server from <code>$CAUDAL</code>.</p>
${block(`printf '%s' 'ana@example.com' '343' 'A-1001' 'COP' '45000' "$FIXED_HASH" | sha512sum`)}
<h3>In JavaScript</h3>${block(`import { createHash } from 'node:crypto';

const checksum = (values, fixedHash) =>
  createHash('sha512').update(values.join('') + fixedHash, 'utf8').digest('hex');`)}
<h3>In PHP</h3>${block(`$checksum = hash('sha512', implode('', $values) . $fixedHash);`)}
<h3>To test yours</h3>
<p>With the fixed hash <code>9f1c7b52e0a84d6bb3a1c5d0e7f24688</code> the values of the shell example give</p>
<pre class="long"><code>b63653af77d50d07905e0191fdf163b3f0edaf29d6db98011c329be8f0b47a935751fbd499cddc0e47e9fc9bf96b475e13aa917b665220fb4637ec80c90fdcb0</code></pre>
</section>`;
}

const SECRETS = { FIXED_HASH: 'fixed hash', NETWORK_SECRET: 'network’s secret' } as const;

const signedNames = (operation: ApiOperation): string =>
  operation['x-checksum'].length === 0
    ? 'none'
    : [...operation['x-checksum'].map((name) => `<code>${escape(name)}</code>`), SECRETS[secretOf(operation)]].join(' + ');

function renderOperation({ method, path, operation }: Route): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const answer = responses['200']?.content?.['application/json'].schema;
  return `<section class="operation" id="${operationId}">
<h3>${escape(summary)}</h3>
<p class="route">${badge(method)} <code>${escape(path).replaceAll('/', '/<wbr>')}</code></p>
<p>${inline(description)}</p>
<p>Checksum: ${signedNames(operation)}</p>
${parameters.length === 0 ? '' : fieldTable('Parameters', parameters.toSorted(byPlace).map(parameterRow))}
${body === undefined ? '' : fieldTable('Body: a JSON object', propertyRows(body))}
<h4>Try it</h4>${block(curlOf(method, path, operation))}
${answer === undefined ? '' : `<h4>Answer</h4>${block(JSON.stringify(exampleOf(answer), null, 2))}${fieldTable('Its members', answerRows(answer))}`}
${renderRefusals(operation)}
</section>`;
}

function renderNotice({ operationId, summary, description, parameters, requestBody, responses }: ApiWebhook): string {
  const { schema } = requestBody.content['application/json'];
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<tr><th scope="row"><code>${status}</code></th><td>${inline(answer.description)}</td></tr>`,
  );
  return `<section class="operation" id="${operationId}">
<h3>${escape(summary)}</h3>
<p class="route">${badge('POST')} the merchant’s notice URL</p>
<p>${inline(description)}</p>
${fieldTable('Headers', parameters.map(parameterRow))}
${fieldTable('Body: a JSON object', propertyRows(schema))}
<h4>Such as</h4>${block(JSON.stringify(exampleOf(schema), null, 2))}
<h4>Answers</h4><table class="codes"><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${answers.join('')}</tbody></table>
</section>`;
}

const fieldTable = (caption: string, rows: readonly string[]): string =>
  `<h4>${caption}</h4><table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Rule</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;

const row = (name: string, note: string, rule: string, meaning: string): string =>
  `<tr><th scope="row"><code>${escape(name)}</code>${note === '' ? '' : ` <small>${note}</small>`}</th><td>${rule}</td><td>${meaning}</td></tr>`;

const PLACES = ['path', 'query', 'header'];
const byPlace = (one: ApiParameter, other: ApiParameter): number => PLACES.indexOf(one.in) - PLACES.indexOf(other.in);

const parameterRow = ({ name, in: place, required, description, schema, example }: ApiParameter): string =>
  row(
    name === 'if-match' ? 'If-Match' : name,
    [place, required === true ? 'required' : ''].filter((note) => note !== '').join(', '),
    ruleOf(schema),
    meaningOf(description, example),
  );

const propertyRows = ({ properties = {}, required = [] }: ApiSchema): readonly string[] =>
  Object.entries(properties).map(([name, schema]) =>
    row(name, required.includes(name) ? 'required' : '', ruleOf(schema), meaningOf(schema.description, schema.examples?.[0])),
  );

/** The members of an answer, those of its data under the data's name. */
function answerRows({ properties = {} }: ApiSchema): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.anyOf?.[0] ?? schema.items ?? schema;
    const own = row(name, '', ruleOf(schema), meaningOf(schema.description, schema.examples?.[0]));
    const prefix = schema.items === undefined ? name : `${name}[]`;
    const within = Object.entries(inner.properties ?? {}).map(([below, one]) =>
      row(`${prefix}.${below}`, '', ruleOf(one), meaningOf(one.description, one.examples?.[0])),
    );
    return [own, ...within];
  });
}

const meaningOf = (description: string | undefined, example: string | number | boolean | undefined): string =>
  [
    inline(description ?? ''),
    example === undefined || example === '' ? '' : `<small class="example">such as <code>${escape(String(example))}</code></small>`,
  ]
    .filter((part) => part !== '')
    .join(' ');

function ruleOf(schema: ApiSchema): string {
  const choices = schema.enum ?? schema.anyOf?.map((one) => one.const).filter((one) => one !== undefined) ?? [];
  if (choices.length > 0) return choices.map((one) => `<code>${escape(JSON.stringify(one))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  const types = [schema.anyOf?.[0]?.type ?? schema.type ?? []].flat().map((type) => (type === 'string' ? 'text' : type));
  return [
    types.join(' or '),
    schema.maxLength === undefined ? '' : `≤ ${schema.maxLength}`,
    schema.pattern === undefined ? '' : shownPattern(schema.pattern),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** A longer pattern is not shown: the field's meaning describes it. The document has it for programs. */
const LONGEST_SHOWN_PATTERN = 36;
const NO_CONTROL_CHARACTERS = '^\\P{Cc}*$';

function shownPattern(pattern: string): string {
  if (pattern === NO_CONTROL_CHARACTERS) return 'one line';
  return pattern.length > LONGEST_SHOWN_PATTERN ? '' : `<code class="pattern">${escape(pattern)}</code>`;
}

function renderRefusals({ 'x-refusals': refusals }: ApiOperation): string {
  const rows = refusals.map(({ code, meaning }) => `<tr><th scope="row"><code>${code}</code></th><td>${inline(meaning)}</td></tr>`);
  return `<h4>Refusals</h4><p>The first that applies is the answer.</p>
<table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderFaults({ components }: ApiDocument): string {
  const told = new Set(Object.values(components.responses).map(({ description }) => description));
  return `<section id="faults"><h2>What is no business answer</h2>
<p>These answers have their own HTTP status and the envelope of the operation. No answer ever redirects.</p>
<ul>${[...told].map((description) => `<li>${inline(description)}</li>`).join('')}</ul></section>`;
}
