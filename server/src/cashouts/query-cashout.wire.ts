import { Type } from 'typebox';
import { dayOf } from '../kit/calendar.ts';
import { readFields, toSchema } from '../kit/fields.ts';
import { sendJson, type HttpServer } from '../kit/http.ts';
import type { JsonObject } from '../kit/json.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { languageField } from '../requests/index.ts';
import { firstRefusal, KEY_FIELDS, refusalOf, type EarlyRefusal } from './cashout-fields.wire.ts';
import { refusalRules } from './cashout-refusals.wire.ts';
import { itemSchema, renderItem, renderRefusal, renderSuccess } from './cashout.wire.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { queryCashout } from './query-cashout.ts';
import { languageOf, readQuery } from './read-request.wire.ts';

/** The path of one cashout, and the fields that prove who asks. */
export type CashoutKey = {
  readonly merchantId: string;
  readonly operationId: string;
  readonly document: string;
  readonly checksum: string;
};

export const KEY_PATH = '/operation/:merchant/:operation';

/** The parts of KEY_PATH, and the parameters beside it, in the OpenAPI document. */
export const keyParams = toSchema({ merchant: KEY_FIELDS.merchant, operation: KEY_FIELDS.operation });
export const keyQuery = toSchema({ document: KEY_FIELDS.document, checksum: KEY_FIELDS.checksum, ...languageField });

/** The answer about one cashout: an item, or nothing on a refusal. */
export const oneCashoutAnswer = Type.Object({
  code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
  text: Type.String({ examples: ['OK'] }),
  data: Type.Partial(itemSchema, { description: 'Empty on a refusal.' }),
});

/**
 * Reads which cashout is meant.
 * Shape: the path's parts; then the members or parameters among which `document` and `checksum` are, or why they could not be read.
 * Refuses, the first that applies: merchant_invalid, parameter_invalid, operation_invalid, checksum_invalid (missing or misshapen).
 * Source: contract §4.3.
 */
export function readCashoutKey(path: unknown, given: JsonObject | Refusal<'parameter_invalid'>): CashoutKey | Refusal<EarlyRefusal> {
  const { merchant, operation } = path as { merchant: string; operation: string };
  const proof = isRefusal(given) ? new Map() : given;
  const read = readFields(KEY_FIELDS, new Map([...proof, ['merchant', merchant], ['operation', operation]]));
  const refusals = [...(isRefusal(given) ? [given] : []), ...(read.ok ? [] : read.violations.map(refusalOf))];
  const first = firstRefusal(refusals);
  if (first !== undefined) return first;
  if (!read.ok) throw new Error('a broken rule was not refused');
  const { document, checksum } = read.values;
  return { merchantId: merchant, operationId: operation, document, checksum };
}

const schema = {
  operationId: 'queryCashout',
  ...refusalRules(
    ['merchant', 'operation', 'document'],
    ['merchant_invalid', 'parameter_invalid', 'operation_invalid', 'checksum_invalid', 'cashout_unknown'],
  ),
  summary: 'Query one cashout',
  description: 'Answers one operation as the list shows it. Checksum over merchant, operation, document. Contract §4.3.',
  tags: ['Cashouts'],
  params: keyParams,
  querystring: keyQuery,
  response: { 200: oneCashoutAnswer },
};

/** Adds the query of one cashout. Source: contract §4.3. */
export function addQueryCashout(app: HttpServer, prefixes: readonly string[], { db, clock, requests, dateForm }: CashoutDeps): void {
  for (const [index, prefix] of prefixes.entries()) {
    app.get(`${prefix}${KEY_PATH}`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const key = readCashoutKey(request.params, readQuery(request.raw.url as string));
      if (isRefusal(key)) return sendJson(reply, renderRefusal(key, languageOf(request)));
      const { merchantId, operationId, document, checksum } = key;
      const merchant = await requests.callers.authenticate(request, merchantId, checksum, [merchantId, operationId, document]);
      if (isRefusal(merchant)) return sendJson(reply, renderRefusal(merchant, languageOf(request)));
      const today = dayOf(clock.now(), merchant.country.timeZone);
      const cashout = await queryCashout(db, { merchantId, operationId, document, today });
      if (isRefusal(cashout)) return sendJson(reply, renderRefusal(cashout, languageOf(request, merchant)));
      return sendJson(reply, renderSuccess(renderItem(cashout, dateForm)));
    });
  }
}
