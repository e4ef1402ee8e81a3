import { html, NO_HTML, type Html } from '../kit/html.ts';
import type { ApiDocument, ApiOperation, ApiParameter, ApiWebhook } from './api-document.ts';
import { curlOfExample, exampleOf, secretOf } from './examples.ts';
import { codeBlock } from './markdown.ts';
import { answerRows, codes, inline, parameterRow, propertyRows, htmlTable, type Row } from './tables.ts';

/** An operation of the document, with its place. */
export type Route = { readonly method: string; readonly path: string; readonly operation: ApiOperation };

export const routesOf = ({ paths }: Pick<ApiDocument, 'paths'>): readonly Route[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The name of the page of an operation: that of its file in the reference. */
export const pageName = (operationId: string): string => operationId.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

export const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const SECRETS = { FIXED_HASH: 'the fixed hash', NETWORK_SECRET: 'the network’s secret' } as const;

/** What the checksum of an operation covers. */
export const signedValues = (operation: ApiOperation): Html =>
  html`${operation['x-checksum'].map((name) => html`<code>${name}</code> + `)}${SECRETS[secretOf(operation)]}`;

/** Renders the page of one operation. */
export function renderOperation({ method, path, operation }: Route, document: ApiDocument): Html {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const answer = responses['200']?.content?.['application/json'].schema;
  const [headers, others] = [parameters.filter(isHeader), parameters.filter((one) => !isHeader(one))];
  return html`<h1>${summary}</h1>
    <p class="route">${badge(method)} <code>${breakable(path)}</code></p>
    <p>${inline(description)}</p>
    ${renderChecksum(operation)} ${htmlTable('parameters', 'Parameters', others.toSorted(byPlace).map(parameterRow))}
    ${body === undefined ? NO_HTML : htmlTable('body', 'Body: a JSON object', propertyRows(body))}
    ${htmlTable('headers', 'Headers', [...headers.map(parameterRow), ...signatureRows(operation, document)])}
    <h2 id="try-it">Try it</h2>
    ${codeBlock(curlOfExample(method, path, operation), 'text')}
    ${
      answer === undefined
        ? NO_HTML
        : html`<h2 id="answer">Answer</h2>
            ${codeBlock(JSON.stringify(exampleOf(answer), null, 2), 'json')} ${htmlTable('members', 'Its members', answerRows(answer))}`
    }
    ${htmlTable('answer-headers', 'Headers of the answer', answerHeaderRows(operation, document))} ${renderRefusals(operation)}
    <p><a href="/docs/faults">Transport errors</a> have an HTTP status of their own.</p>`;
}

const isHeader = ({ in: place }: ApiParameter): boolean => place === 'header';

const breakable = (path: string): Html =>
  html`${path
    .split('/')
    .slice(1)
    .map((part) => html`/<wbr />${part}`)}`;

const PLACES = ['path', 'query'];
const byPlace = (one: ApiParameter, other: ApiParameter): number => PLACES.indexOf(one.in) - PLACES.indexOf(other.in);

const renderChecksum = (operation: ApiOperation): Html =>
  operation['x-checksum'].length === 0
    ? NO_HTML
    : html`<h2 id="checksum">Checksum</h2>
        <p>
          <a href="/docs/guides/checksum">SHA-512</a> over these values as sent, without anything between them: ${signedValues(operation)}.
        </p>`;

/** The headers of a signature, where the operation takes one. */
function signatureRows({ security = [], tags }: ApiOperation, { components }: ApiDocument): readonly Row[] {
  if (security.length === 0) return [];
  const note = tags.includes('Networks') ? 'required' : 'with a signature';
  return Object.values(components.securitySchemes).map(({ name, description }) => ({
    name,
    note,
    meaning: inline(`${description} (contract §7.5)`),
  }));
}

const answerHeaderRows = ({ responses }: ApiOperation, { components }: ApiDocument): readonly Row[] =>
  Object.entries(responses['200']?.headers ?? {}).map(([name, { $ref }]) => {
    const { description = '', schema } = components.headers[$ref.split('/').at(-1) ?? ''] ?? {};
    const example = schema?.examples?.[0];
    return { name, meaning: inline(`${description}${example === undefined ? '' : ` Such as \`${example}\`.`}`) };
  });

function renderRefusals({ 'x-refusals': refusals }: ApiOperation): Html {
  if (refusals.length === 0) return NO_HTML;
  return html`<h2 id="refusals">Refusals</h2>
    <p>The first that applies is the answer.</p>
    ${codes(
      'Code',
      refusals.map(({ code, meaning }) => [code, meaning] as const),
    )}`;
}

/** Renders the page of one notice. */
export function renderNoticePage({ summary, description, parameters, requestBody, responses }: ApiWebhook): Html {
  const { schema } = requestBody.content['application/json'];
  return html`<h1>${summary}</h1>
    <p class="route">${badge('POST')} the merchant’s notice URL</p>
    <p>${inline(description)}</p>
    <p><a href="/docs/guides/checksum#notices">How to check a notice</a> says which secret proves it.</p>
    ${htmlTable('headers', 'Headers', parameters.map(parameterRow))} ${htmlTable('body', 'Body: a JSON object', propertyRows(schema))}
    <h2 id="example">Such as</h2>
    ${codeBlock(JSON.stringify(exampleOf(schema), null, 2), 'json')}
    <h2 id="answers">Answers</h2>
    ${codes(
      'Status',
      Object.entries(responses).map(([status, answer]) => [status, answer.description] as const),
    )}`;
}
