import { toSchema } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { languageField } from '../../requests/index.ts';
import { refusalRules } from '../cashout-refusals.wire.ts';
import { renderRefusal, renderSuccess } from '../cashout.wire.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf } from '../read-request.wire.ts';
import { REVERSAL_SECONDS } from './collection.ts';
import {
  NETWORK_FIELDS,
  NETWORK_PRECEDENCE,
  paymentAnswer,
  readNetworkRequest,
  renderPayment,
  transactionParams,
} from './network-fields.wire.ts';
import { createReverse } from './reverse-payment.ts';

const { netname, transaction, idoperation, checksum } = NETWORK_FIELDS;

const schema = {
  operationId: 'reverseCashoutPayment',
  ...refusalRules(['netname', 'transaction', 'idoperation'], [...NETWORK_PRECEDENCE, 'transaction_unknown', 'not_reversible']),
  summary: 'Reverse the payment of a cashout',
  description:
    `For collection networks. Takes a payment back within ${REVERSAL_SECONDS} seconds: the operation is nullified and its money goes back to ` +
    "the merchant. Reversing again is success. Checksum with the network's secret. Contract §4.3.",
  tags: ['Networks'],
  params: transactionParams,
  body: toSchema({ idoperation, checksum, ...languageField }),
  response: { 200: paymentAnswer },
};

/** Adds the reversal of payments by networks. Source: contract §4.3. */
export function addReversePayment(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { merchants, networks } = deps;
  const reverse = createReverse(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.patch(`${prefix}/transaction/:netname/:transaction`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const read = readNetworkRequest({ netname, transaction, idoperation, checksum }, request.params, request.body);
      if (isRefusal(read)) return sendJson(reply, renderRefusal(read, languageOf(request)));
      const network = await networks.authenticate(read.netname, read.checksum, [read.netname, read.transaction, read.idoperation]);
      if (network === undefined)
        return sendJson(reply, renderRefusal(refuse('checksum_invalid', { field: 'checksum' }), languageOf(request)));
      const command = {
        netname: network.netname,
        transactionId: read.transaction,
        cashoutId: BigInt(read.idoperation),
        requestId: request.id,
      };
      const reversed = await reverse(command);
      if (isRefusal(reversed)) return sendJson(reply, renderRefusal(reversed, languageOf(request)));
      return sendJson(reply, renderSuccess(await renderPayment(merchants, reversed)));
    });
  }
}
