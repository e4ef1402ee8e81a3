import { Type } from 'typebox';
import { toSchema, type Declaration, type Texts } from '../kit/fields.ts';
import { KEY_FORM } from './answer-once.wire.ts';
import type { Dialect } from './dialect.ts';
import { IF_MATCH_FORM } from './if-match.wire.ts';
import { languageParameter } from './language.wire.ts';
import type { Operation, FieldSource } from './operation.ts';
import { SOURCE_FORMS } from './read-sources.wire.ts';
import { SIGNATURE_FORMS } from './request-signature.wire.ts';

/** How the parts of a request must look that every operation may have. */
const SHARED_FORMS: Readonly<Record<string, Texts>> = { ...SOURCE_FORMS, ...IF_MATCH_FORM, ...KEY_FORM, ...SIGNATURE_FORMS };

type Described = Operation<never>;

/** How a field of an operation must look, for the text of a refusal. */
export const formOf = (operation: Pick<Described, 'path' | 'fields'>, field: string | undefined): Texts | undefined =>
  field === undefined ? undefined : ((operation.fields[field] ?? operation.path?.[field])?.form ?? SHARED_FORMS[field]);

/** One refusal as documents show it. */
export type ShownRefusal = { readonly code: string; readonly name: string; readonly status: number; readonly meaning: string };

/** The refusals of an operation in order of precedence, each with one English sentence. */
export const shownRefusals = ({ refusals }: Pick<Described, 'refusals'>): readonly ShownRefusal[] =>
  Object.entries(refusals).map(([name, { code, status = 200, meaning, text }]) => ({
    code,
    name,
    status,
    meaning: meaning ?? text?.en ?? name,
  }));

/** What other services answer with 401: the caller is unknown, or its proof is wrong. */
const UNPROVED: ReadonlySet<string> = new Set(['merchant_invalid', 'network_invalid', 'checksum_invalid']);

/** The description of a business answer. It names the codes of a caller that is not proved. */
function describeAnswer(operation: Pick<Described, 'refusals'>): string {
  const codes = new Set(shownRefusals(operation).flatMap(({ name, code }) => (UNPROVED.has(name) ? code : [])));
  const unproved = codes.size === 0 ? '' : ` The caller is not proved: ${[...codes].join(' or ')}.`;
  return `Success or a refusal: the result code says which.${unproved}`;
}

/** The fields of the source that documents name: the first of two, with the language that every operation takes. */
export const shownFields = ({ fields }: Pick<Described, 'fields'>): Declaration =>
  'language' in fields ? fields : { ...fields, ...languageParameter };

const SIGNATURE = { WebhookId: [], WebhookTimestamp: [], WebhookSignature: [] };
/** The ways to prove a request beside its checksum, by caller: a merchant may sign, a network must (contract §7.5). */
const SECURITY: Readonly<Record<Described['caller'], readonly object[]>> = { merchant: [{}, SIGNATURE], network: [SIGNATURE], anyone: [] };

/** What the OpenAPI document says of an operation's route. */
export function describeRoute<Deps>(operation: Operation<Deps>, dialect: Dialect): object {
  const { envelope, path, from, caller } = operation;
  const shown = caller === 'anyone' ? operation.fields : shownFields(operation);
  const answer = {
    ...envelope.schema(...[operation.data(dialect)].flat()),
    description: describeAnswer(operation),
  };
  const mismatch = { ...envelope.schema(), description: 'CODE 0910: the order has another version. Nothing was written.' };
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: `${operation.description} Contract ${operation.section}.`,
    tags: [operation.tag],
    security: SECURITY[caller],
    'x-checksum': operation.proof,
    'x-refusals': shownRefusals(operation).map(({ code, meaning }) => ({ code, meaning })),
    ...(path === undefined ? {} : { params: toSchema(path) }),
    ...(operation.takesIfMatch ? { headers: IF_MATCH_HEADER } : {}),
    ...(Object.keys(shown).length === 0 ? {} : sourcesOf(from, shown)),
    response: operation.takesIfMatch ? { 200: answer, 412: mismatch } : { 200: answer },
  };
}

/** A request with two sources has its fields in either. */
function sourcesOf(from: FieldSource, shown: Declaration): object {
  if (from === 'body') return { body: toSchema(shown, 'body') };
  if (from === 'query' || from === 'none') return { querystring: toSchema(shown) };
  return { querystring: toSchema(shown, 'either query'), body: toSchema(shown, 'either body') };
}

const IF_MATCH_HEADER = Type.Object({
  'If-Match': Type.Optional(Type.String({ description: 'The version that the order must still have, or *.', examples: ['"1"'] })),
});
