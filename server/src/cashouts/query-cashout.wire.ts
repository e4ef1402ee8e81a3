import { dayOf } from '../kit/calendar.ts';
import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { Merchant } from '../merchants/index.ts';
import { operation, type ParseContext } from '../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from './answers.wire.ts';
import { KEY_FIELDS } from './cashout-fields.wire.ts';
import { FIND_REFUSALS } from './cashout-refusals.wire.ts';
import type { CashoutShapes } from './dialect/cashout-shapes.ts';
import { judgeDocument } from './end-users/judge-document.wire.ts';
import { itemSchema, renderItem } from './cashout.wire.ts';
import { queryCashout } from './query-cashout.ts';

type Deps = { readonly db: Db; readonly clock: Clock; readonly shapes: CashoutShapes };

export const queryCashoutOperation = operation({
  name: 'queryCashout',
  route: 'GET /cashout/v1/operation/:merchant/:operation',
  tag: 'Cashouts',
  summary: 'Query one cashout',
  description: 'Answers one cashout as the list shows it.',
  section: '§4.3',
  example: 'query-cashout/pending',
  envelope: cashoutEnvelope,
  path: { merchant: KEY_FIELDS.merchant, operation: KEY_FIELDS.operation },
  from: 'query',
  fields: { document: KEY_FIELDS.document, checksum: KEY_FIELDS.checksum },
  caller: 'merchant',
  effect: 'reads',
  proof: ['merchant', 'operation', 'document'],
  refusals: {
    ...FIND_REFUSALS,
    cashout_unknown: {
      code: '0001',
      text: {
        es: 'No hay una operación con estos datos',
        en: 'There is no operation with these values',
        pt: 'Não há uma operação com estes dados',
      },
    },
  },
  parse: (sent, refuse, context: ParseContext<Deps, Merchant>) =>
    judgeDocument(sent, refuse, context, ['merchant', 'operation', 'document']),
  run: ({ values: { merchant, operation: operationId, document }, caller }, { db, clock }: Deps) =>
    queryCashout(db, { merchantId: merchant, operationId, document, today: dayOf(clock.now(), caller.country.timeZone) }),
  answer: (cashout, _, { shapes }) => cashoutAnswer(renderItem(cashout, shapes)),
  data: (dialect) => itemSchema(dialect),
});
