import { toSchema } from '../../kit/fields.ts';
import { sendJson, type HttpServer } from '../../kit/http.ts';
import { isRefusal, refuse } from '../../kit/outcome.ts';
import { languageField } from '../../requests/index.ts';
import { refusalRules } from '../cashout-refusals.wire.ts';
import { renderRefusal, renderSuccess } from '../cashout.wire.ts';
import type { CashoutDeps } from '../cashout-deps.ts';
import { languageOf } from '../read-request.wire.ts';
import {
  netnameParams,
  networkCode,
  NETWORK_FIELDS,
  NETWORK_PRECEDENCE,
  paymentAnswer,
  readNetworkRequest,
  renderPayment,
} from './network-fields.wire.ts';
import { createPay } from './pay-cashout.ts';

const { netname, ...common } = NETWORK_FIELDS;
const body = {
  idoperation: common.idoperation,
  transaction: common.transaction,
  teller: networkCode('Who hands out the money.', 'C-3'),
  danecode: networkCode('Where: the DANE code of the municipality.', '11001'),
  checksum: common.checksum,
};

const schema = {
  operationId: 'payCashout',
  ...refusalRules(
    ['netname', 'idoperation', 'transaction'],
    [...NETWORK_PRECEDENCE, 'transaction_repeated', 'cashout_not_registered', 'cashout_locked', 'cashout_not_pending', 'lock_over'],
  ),
  summary: 'Pay a cashout out',
  description:
    'For collection networks. Records that the network hands out the money of an operation that it has looked up. The same transaction ' +
    "with the same values is answered the same again. Checksum with the network's secret. Contract §4.3.",
  tags: ['Networks'],
  params: netnameParams,
  body: toSchema({ ...body, ...languageField }),
  response: { 200: paymentAnswer },
};

/** Adds the payment of cashouts by networks. Source: contract §4.3. */
export function addPayCashout(app: HttpServer, prefixes: readonly string[], deps: CashoutDeps): void {
  const { merchants, networks } = deps;
  const pay = createPay(deps);
  for (const [index, prefix] of prefixes.entries()) {
    app.post(`${prefix}/transaction/:netname`, { schema: { ...schema, hide: index > 0 } }, async (request, reply) => {
      const read = readNetworkRequest({ netname, ...body }, request.params, request.body);
      if (isRefusal(read)) return sendJson(reply, renderRefusal(read, languageOf(request)));
      const { idoperation, transaction, teller, danecode, checksum } = read;
      const network = await networks.authenticate(read.netname, checksum, [read.netname, idoperation, transaction]);
      if (network === undefined)
        return sendJson(reply, renderRefusal(refuse('checksum_invalid', { field: 'checksum' }), languageOf(request)));
      const paid = await pay({
        netname: network.netname,
        transactionId: transaction,
        cashoutId: BigInt(idoperation),
        teller: teller ?? '',
        daneCode: danecode ?? '',
        requestId: request.id,
      });
      if (isRefusal(paid)) return sendJson(reply, renderRefusal(paid, languageOf(request)));
      return sendJson(reply, renderSuccess(await renderPayment(merchants, paid)));
    });
  }
}
