import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { textOrNumber } from '../../kit/fields.ts';
import { refuse } from '../../kit/outcome.ts';
import type { MerchantDirectory } from '../../merchants/index.ts';
import { serves } from '../../networks/index.ts';
import { operation } from '../../requests/index.ts';
import { okAnswer, orderEnvelope, type AnswerSettings } from '../answers.wire.ts';
import { checksumField, REFERENCE } from '../order-fields.wire.ts';
import { cellOfReference } from '../references/reference-claims.ts';
import { lookUpOrder } from './look-up-order.ts';
import {
  languageField,
  netnameField,
  NETWORK_CHECKSUM_INVALID,
  NETWORK_CONTENT_INVALID,
  NETWORK_INVALID,
  ORDER_NOT_SERVED,
  payableSchema,
  renderPayable,
} from './network-fields.wire.ts';

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly settings: AnswerSettings;
};

export const lookUpOrderOperation = operation({
  name: 'lookUpOrder',
  route: 'POST /api/v3/references/:netname',
  tag: 'Networks',
  summary: 'Look up an order by its reference',
  description: 'What a payer is shown before paying. Nothing is locked: the payment carries what the payer saw.',
  section: '§3.7',
  example: 'look-up-order/pending',
  envelope: orderEnvelope,
  path: { netname: netnameField },
  from: 'body',
  fields: {
    reference: textOrNumber({ ...REFERENCE, description: 'The digits that the payer shows. Part of the checksum.' }),
    checksum: checksumField,
    language: languageField,
  },
  caller: 'network',
  proof: ['netname', 'reference'],
  refusals: {
    content_invalid: NETWORK_CONTENT_INVALID,
    network_invalid: NETWORK_INVALID,
    checksum_invalid: NETWORK_CHECKSUM_INVALID,
    reference_unknown: {
      code: '0001',
      text: {
        es: 'Ninguna orden abierta tiene esa reference',
        en: 'No open order has that reference',
        pt: 'Nenhuma ordem aberta tem essa reference',
      },
    },
    order_not_served: ORDER_NOT_SERVED,
  },
  cellOf: ({ values: { reference } }, { db }: Deps) => cellOfReference(db, reference),
  run: async ({ values: { reference }, caller }, { db, clock, merchants }: Deps) => {
    const order = await lookUpOrder(db, clock, reference);
    const merchant = order && (await merchants.find(order.merchantId));
    if (order === undefined || merchant === undefined || merchant.isFrozen) return refuse('reference_unknown');
    return serves(caller, merchant.country, order.currency) ? { order, merchant } : refuse('order_not_served');
  },
  answer: ({ order, merchant }, _, { settings }) => okAnswer(renderPayable(order, merchant, settings.dialect)),
  data: payableSchema,
});
