import type { Refusal } from '../kit/outcome.ts';
import type { Merchant } from '../merchants/index.ts';
import { operation, type ParseContext } from '../requests/index.ts';
import { cashoutAnswer, cashoutEnvelope } from './answers.wire.ts';
import type { CancelCashoutRefusal } from './cancel-cashout.ts';
import type { CancelCashout, DecidedCashout } from './cashout-changes.ts';
import { KEY_FIELDS } from './cashout-fields.wire.ts';
import { CHANGE_REFUSALS, FIND_REFUSALS } from './cashout-refusals.wire.ts';
import { cashoutShapes, type CashoutShapes } from './dialect/cashout-shapes.ts';
import { judgeDocument } from './end-users/judge-document.wire.ts';
import { itemSchema, renderItem } from './cashout.wire.ts';

type Deps = {
  readonly shapes: CashoutShapes;
  readonly cancelCashout: (command: CancelCashout) => Promise<DecidedCashout | Refusal<CancelCashoutRefusal>>;
};

export const cancelCashoutOperation = operation({
  name: 'cancelCashout',
  route: 'DELETE /cashout/v1/operation/:merchant/:operation',
  tag: 'Cashouts',
  summary: 'Cancel a cashout',
  description:
    'Cancels a pending cashout, gives its money back and answers it. Cancelling again is success. ' +
    'The parameters may also be in a JSON body, which wins.',
  section: '§4.3',
  example: 'cancel-cashout/pending',
  envelope: cashoutEnvelope,
  path: { merchant: KEY_FIELDS.merchant, operation: KEY_FIELDS.operation },
  // Some proxies drop the body of a DELETE.
  from: 'body, query',
  fields: { document: KEY_FIELDS.document, checksum: KEY_FIELDS.checksum },
  // A slip of existing clients.
  aliases: { documet: 'document' },
  caller: 'merchant',
  effect: 'writes',
  proof: ['merchant', 'operation'],
  refusals: { ...FIND_REFUSALS, ...CHANGE_REFUSALS },
  parse: (sent, refuse, context: ParseContext<Deps, Merchant>) => judgeDocument(sent, refuse, context, ['merchant', 'operation']),
  run: ({ values: { merchant, operation: operationId, document }, caller, requestId }, deps: Deps) =>
    deps.cancelCashout({
      merchantId: merchant,
      operationId,
      document,
      timeZone: caller.country.timeZone,
      actor: 'merchant',
      requestId,
    }),
  answer: ({ cashout }, _, { shapes }) => cashoutAnswer({ ...renderItem(cashout, shapes), ...shapes.cancelled(cashout) }),
  data: (dialect) => itemSchema(dialect, cashoutShapes(dialect).cancelledSchema),
});
