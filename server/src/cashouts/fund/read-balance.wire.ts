import { Type } from 'typebox';
import { readFields, toSchema } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal, type Refusal } from '../../kit/outcome.ts';
import { languageField } from '../../requests/index.ts';
import { readBalance, type MerchantBalance } from '../../ledger/index.ts';
import { firstRefusal, KEY_FIELDS, refusalOf, type EarlyRefusal } from '../cashout-fields.wire.ts';
import { refusalRules } from '../cashout-refusals.wire.ts';
import { renderRefusal, renderSuccess } from '../cashout.wire.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf, readQuery } from '../read-request.wire.ts';

const fields = { merchant: KEY_FIELDS.merchant, checksum: KEY_FIELDS.checksum };

/**
 * Reads who asks for the balance.
 * Refuses, the first that applies: merchant_invalid, parameter_invalid (a repeated parameter), checksum_invalid (missing or misshapen).
 * Source: contract §4.3.
 */
function readRequest(path: unknown, url: string): { readonly merchantId: string; readonly checksum: string } | Refusal<EarlyRefusal> {
  const query = readQuery(url);
  const { merchant } = path as { merchant: string };
  const read = readFields(fields, new Map([...(isRefusal(query) ? [] : query), ['merchant', merchant]]));
  const first = firstRefusal([...(isRefusal(query) ? [query] : []), ...(read.ok ? [] : read.violations.map(refusalOf))]);
  if (first !== undefined) return first;
  if (!read.ok) throw new Error('a broken rule was not refused');
  return { merchantId: merchant, checksum: read.values.checksum };
}

/** Renders the funds of a merchant, one for each of its currencies, also where there is nothing; all texts. Source: contract §4.3. */
export function renderBalances(currencies: readonly string[], balances: readonly MerchantBalance[]): object {
  const held = new Map(balances.map((balance) => [balance.currency, balance]));
  return {
    balances: [...new Set([...currencies, ...held.keys()])].map((currency) => ({
      currency,
      balance: formatAmount(held.get(currency)?.availableMinor ?? 0n, currency),
      reserved: formatAmount(held.get(currency)?.reservedMinor ?? 0n, currency),
    })),
  };
}

const schema = {
  operationId: 'readBalance',
  ...refusalRules(['merchant'], ['merchant_invalid', 'parameter_invalid', 'checksum_invalid']),
  summary: 'Read the balance',
  description: 'Answers what the funds of a merchant hold, by currency. Checksum over merchant. Contract §4.3.',
  tags: ['Cashouts'],
  params: toSchema({ merchant: KEY_FIELDS.merchant }),
  querystring: toSchema({ checksum: KEY_FIELDS.checksum, ...languageField }),
  response: {
    200: Type.Object({
      code: Type.String({ description: 'Result code; 0000 is success.', examples: ['0000'] }),
      text: Type.String({ examples: ['OK'] }),
      data: Type.Object(
        {
          balances: Type.Optional(
            Type.Array(
              Type.Object({
                currency: Type.String({ examples: ['COP'] }),
                balance: Type.String({ description: 'What new operations can be registered with.', examples: ['955000.0'] }),
                reserved: Type.String({ description: 'Kept aside for operations that wait to be collected.', examples: ['45000.0'] }),
              }),
            ),
          ),
        },
        { description: 'Empty on a refusal.' },
      ),
    }),
  },
};

/** Adds the balance. Source: contract §4.3. */
export function addReadBalance(app: HttpServer, prefixes: readonly string[], { db, requests }: CashoutDeps): void {
  for (const [index, prefix] of prefixes.entries()) {
    app.get(`${prefix}/operation/available/:merchant`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const asked = readRequest(request.params, request.raw.url as string);
      if (isRefusal(asked)) return sendJson(reply, renderRefusal(asked, languageOf(request)));
      const merchant = await requests.callers.authenticate(request, asked.merchantId, asked.checksum, [asked.merchantId]);
      if (isRefusal(merchant)) return sendJson(reply, renderRefusal(merchant, languageOf(request)));
      return sendJson(reply, renderSuccess(renderBalances(merchant.currencies, await readBalance(db, asked.merchantId))));
    });
  }
}
