import { sendJson, type HttpServer } from '../kit/http.ts';
import type { JsonObject } from '../kit/json.ts';
import { isRefusal, type Refusal } from '../kit/outcome.ts';
import { createCancel } from './cancel-cashout.ts';
import { refusalRules } from './cashout-refusals.wire.ts';
import { renderItem, renderRefusal, renderSuccess } from './cashout.wire.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { KEY_PATH, keyParams, keyQuery, oneCashoutAnswer, readCashoutKey } from './query-cashout.wire.ts';
import { languageOf, readOptionalObject, readQuery } from './read-request.wire.ts';

/**
 * Reads `checksum` and `document` of a cancellation: from the body, and what is not given there from the query, because some proxies
 * drop the body of a DELETE. `documet` is a slip of existing clients.
 * Refuses: parameter_invalid for a body that is neither absent, `[]` nor a JSON object, and as readQuery.
 * Source: contract §2.3, §4.3.
 */
export function readCancelProof(body: unknown, url: string): JsonObject | Refusal<'parameter_invalid'> {
  const members = readOptionalObject(body);
  if (isRefusal(members)) return members;
  const query = readQuery(url);
  if (isRefusal(query)) return query;
  const given = (name: string) => members.get(name) ?? query.get(name);
  return new Map([
    ['checksum', given('checksum') ?? null],
    ['document', given('document') ?? given('documet') ?? null],
  ]);
}

const schema = {
  operationId: 'cancelCashout',
  ...refusalRules(
    ['merchant', 'operation'],
    [
      'merchant_invalid',
      'parameter_invalid',
      'operation_invalid',
      'checksum_invalid',
      'cashout_not_registered',
      'cashout_not_pending',
      'cashout_locked',
    ],
  ),
  summary: 'Cancel a cashout',
  description:
    'Cancels a pending operation, gives its money back and answers it. Cancelling again is success. Checksum over merchant, operation. ' +
    'The parameters may also come as members of a JSON body. Contract §4.3.',
  tags: ['Cashouts'],
  params: keyParams,
  querystring: keyQuery,
  response: { 200: oneCashoutAnswer },
};

/** Adds the cancellation of cashouts. Source: contract §4.3. */
export function addCancelCashout(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { requests, dateForm } = deps;
  const cancel = createCancel(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.delete(`${prefix}${KEY_PATH}`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const key = readCashoutKey(request.params, readCancelProof(request.body, request.raw.url as string));
      if (isRefusal(key)) return sendJson(reply, renderRefusal(key, languageOf(request)));
      const { merchantId, operationId, document, checksum } = key;
      const merchant = await requests.callers.authenticate(request, merchantId, checksum, [merchantId, operationId]);
      if (isRefusal(merchant)) return sendJson(reply, renderRefusal(merchant, languageOf(request)));
      const { timeZone } = merchant.country;
      const decided = await cancel({ merchantId, operationId, document, timeZone, actor: 'merchant', requestId: request.id });
      if (isRefusal(decided)) return sendJson(reply, renderRefusal(decided, languageOf(request, merchant)));
      return sendJson(reply, renderSuccess(renderItem(decided.cashout, dateForm)));
    });
  }
}
