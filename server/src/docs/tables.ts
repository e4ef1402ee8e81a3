import { html, NO_HTML, trustedHtml, type Html } from '../kit/html.ts';
import type { ApiParameter, ApiSchema } from './api-document.ts';
import { linkSections } from './section-links.ts';

/** One row of a table of fields, parameters, headers or members. */
export type Row = { readonly name: string; readonly note?: string; readonly rule?: Html; readonly meaning: Html };

/** Text with `code` and citations of the contract in it. */
export const inline = (text: string): Html =>
  trustedHtml(
    text
      .split('`')
      .map((part, index) => (index % 2 === 0 ? linkSections(html`${part}`.markup) : html`<code>${part}</code>`.markup))
      .join(''),
  );

/** A table under its own heading; nothing where it has no rows. */
export const htmlTable = (id: string, title: string, rows: readonly Row[]): Html =>
  rows.length === 0
    ? NO_HTML
    : html`<h2 id="${id}">${title}</h2>
        <table class="fields">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Rule</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ name, note = '', rule = NO_HTML, meaning }) =>
                html`<tr>
                  <th scope="row"><code>${name}</code>${note === '' ? NO_HTML : html` <small>${note}</small>`}</th>
                  <td>${rule}</td>
                  <td>${meaning}</td>
                </tr>`,
            )}
          </tbody>
        </table>`;

/** A table of codes or statuses with their meanings. */
export const codes = (name: string, rows: readonly (readonly [code: string, meaning: string])[]): Html =>
  html`<table class="codes">
    <thead>
      <tr>
        <th scope="col">${name}</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([code, meaning]) =>
          html`<tr>
            <th scope="row"><code>${code}</code></th>
            <td>${inline(meaning)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

export const parameterRow = ({ name, in: place, required, description, schema, example }: ApiParameter): Row => ({
  name,
  note: [place === 'header' ? '' : place, required === true ? 'required' : ''].filter((note) => note !== '').join(', '),
  rule: ruleOf(schema),
  meaning: meaningOf(description, example),
});

/** The members of a body. */
export const propertyRows = ({ properties = {}, required = [] }: ApiSchema): readonly Row[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    note: required.includes(name) ? 'required' : '',
    rule: ruleOf(schema),
    meaning: meaningOf(schema.description, schema.examples?.[0]),
  }));

/** The members of an answer, those within others by their path. */
export function answerRows(schema: ApiSchema, prefix = ''): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isList = formsOf(member).some(({ items }) => items !== undefined);
    const path = `${prefix}${name}${isList ? '[]' : ''}`;
    const inner = formsOf(member).flatMap((form) => answerRows(form.items ?? form, `${path}.`));
    const [first] = formsOf(member);
    const description = member.description ?? first?.description ?? '';
    if (description === '' && inner.length > 0) return inner;
    return [{ name: path, rule: ruleOf(member), meaning: meaningOf(description, member.examples?.[0]) }, ...inner];
  });
}

const formsOf = (schema: ApiSchema): readonly ApiSchema[] => [schema, ...(schema.anyOf ?? [])];

const meaningOf = (description = '', example?: string | number | boolean): Html => {
  const shown =
    example === undefined || example === '' ? NO_HTML : html`<small class="example">such as <code>${String(example)}</code></small>`;
  return html`${inline(description)} ${shown}`;
};

function ruleOf(schema: ApiSchema): Html {
  const choices = formsOf(schema).flatMap((form) => form.enum ?? (form.const === undefined ? [] : [form.const]));
  if (choices.length > 0) return html`${choices.map((one) => html`<code>${String(one)}</code> `)}`;
  const types = new Set(
    formsOf(schema).flatMap(({ type }) => (type === undefined ? [] : [type].flat().map((name) => (name === 'string' ? 'text' : name)))),
  );
  const length = schema.maxLength === undefined || schema.maxLength >= UNSHOWN_LENGTH ? '' : `, ≤ ${schema.maxLength}`;
  return html`${[...types].join(' or ')}${length}${schema.pattern === undefined ? NO_HTML : shownPattern(schema.pattern)}`;
}

/** Every text of an answer has a limit for programs. It is not a rule that a reader needs. */
const UNSHOWN_LENGTH = 65_536;
/** A longer pattern is not shown: the field's meaning describes it. The document has it for programs. */
const LONGEST_SHOWN_PATTERN = 36;
const NO_CONTROL_CHARACTERS = '^\\P{Cc}*$';

function shownPattern(pattern: string): Html {
  if (pattern === NO_CONTROL_CHARACTERS) return html`, one line`;
  return pattern.length > LONGEST_SHOWN_PATTERN ? NO_HTML : html`, <code class="pattern">${pattern}</code>`;
}
