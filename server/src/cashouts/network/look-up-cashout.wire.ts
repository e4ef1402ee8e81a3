import { formatIsoDay } from '../../kit/calendar.ts';
import { textOrNumber, toSchema } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { formatAmount } from '../../kit/money.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import type { Merchant } from '../../merchants/index.ts';
import { languageField } from '../../requests/index.ts';
import { KEY_FIELDS } from '../cashout-fields.wire.ts';
import { refusalRules } from '../cashout-refusals.wire.ts';
import { renderRefusal, renderSuccess } from '../cashout.wire.ts';
import type { Cashout } from '../cashout.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf } from '../read-request.wire.ts';
import { LOCK_MINUTES } from './collection.ts';
import { createLookUp } from './look-up-cashout.ts';
import {
  netnameParams,
  networkAnswer,
  networkCode,
  NETWORK_FIELDS,
  NETWORK_PRECEDENCE,
  readNetworkRequest,
} from './network-fields.wire.ts';

const body = {
  otp: textOrNumber({
    required: true,
    max: 12,
    pattern: /^[0-9]{4,12}$/,
    description: 'The one-time password that the person brings.',
    example: '482913',
  }),
  document: KEY_FIELDS.document,
  netcode: networkCode("The network's code of the point of sale.", 'P-14'),
  checksum: NETWORK_FIELDS.checksum,
};
const fields = { netname: NETWORK_FIELDS.netname, ...body };

/** Renders what a teller needs to hand out the money, all texts. Source: contract §4.3. */
export function renderFound(cashout: Cashout, merchant: Merchant): object {
  return {
    idoperation: cashout.cashoutId.toString(),
    operation: cashout.operationId,
    merchant: merchant.name,
    amount: formatAmount(cashout.amountMinor, cashout.currency),
    transactionCost: formatAmount(cashout.transactionCostMinor, cashout.currency),
    currency: cashout.currency,
    description: cashout.description,
    document: cashout.document,
    expire: formatIsoDay(cashout.expiresOn),
  };
}

const schema = {
  operationId: 'lookUpCashout',
  ...refusalRules(['netname', 'otp', 'document'], [...NETWORK_PRECEDENCE, 'too_many_tries', 'password_wrong', 'cashout_locked']),
  summary: 'Look up a cashout',
  description:
    `For collection networks. Finds the operation that a person can collect, and holds it for the network for ${LOCK_MINUTES} minutes. ` +
    "Checksum with the network's secret. Contract §4.3.",
  tags: ['Networks'],
  params: netnameParams,
  body: toSchema({ ...body, ...languageField }),
  response: {
    200: networkAnswer({
      idoperation: '9001',
      operation: 'W-77',
      merchant: 'Demo shop',
      amount: '45000.0',
      transactionCost: '0.0',
      currency: 'COP',
      description: 'Prize',
      document: '1020304050',
      expire: '2026-12-31',
    }),
  },
};

/** Adds the look-up of cashouts by networks. Source: contract §4.3. */
export function addLookUpCashout(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { merchants, networks } = deps;
  const lookUp = createLookUp(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.post(`${prefix}/order/:netname`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const command = readNetworkRequest(fields, request.params, request.body);
      if (isRefusal(command)) return sendJson(reply, renderRefusal(command, languageOf(request)));
      const { netname, otp, document, netcode, checksum } = command;
      const network = await networks.authenticate(netname, checksum, [netname, otp, document]);
      if (network === undefined)
        return sendJson(reply, renderRefusal(refuse('checksum_invalid', { field: 'checksum' }), languageOf(request)));
      const found = await lookUp({ netname, otp, document, point: netcode ?? '' });
      if (isRefusal(found)) return sendJson(reply, renderRefusal(found, languageOf(request)));
      return sendJson(reply, renderSuccess(renderFound(found, (await merchants.find(found.merchantId)) as Merchant)));
    });
  }
}
