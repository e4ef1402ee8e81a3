import type { PartialFieldValues } from '../../kit/fields.ts';
import { refuse } from '../../kit/outcome.ts';
import { currencyExponent, hasLeadingZero, hasNoMoreDecimals, parseWireAmount, parseWireCost } from '../../kit/money.ts';
import type { Merchant } from '../../merchants/index.ts';
import { KEY_REFUSALS, operation, proofOf, type ParseContext, type RefuseField } from '../../requests/index.ts';
import { cashoutEnvelope } from '../answers.wire.ts';
import { CONTENT_FIELDS, KEY_FIELDS, OTP_LENGTH_FIELD } from '../cashout-fields.wire.ts';
import {
  CASHOUT_AMOUNT_INVALID,
  CHECKSUM_INVALID,
  MERCHANT_INVALID,
  OPERATION_INVALID,
  PARAMETER_INVALID,
} from '../cashout-refusals.wire.ts';
import type { CashoutShapes } from '../dialect/cashout-shapes.ts';
import { judgeDocument } from '../end-users/judge-document.wire.ts';
import type { createRegister, RegisterRequest } from '../register-cashout.ts';
import {
  DECIDED_REFUSALS,
  EXPIRE_FIELD,
  EXPIRE_MALFORMED,
  keptRegisteredAnswer,
  readHandover,
  registeredAnswer,
  registeredSchema,
} from './registration-form.wire.ts';

type Deps = { readonly registerCashout: ReturnType<typeof createRegister>; readonly shapes: CashoutShapes };

const fields = {
  ...KEY_FIELDS,
  ...CONTENT_FIELDS,
  expire: EXPIRE_FIELD,
  otpLength: OTP_LENGTH_FIELD,
};

export const registerCashoutOperation = operation({
  name: 'registerCashout',
  route: 'POST /cashout/v1/operation',
  tag: 'Cashouts',
  summary: 'Register a cashout',
  description:
    'Registers a payout in cash to an end user, who collects it with a one-time password. Takes the amount, and the fee of the merchant, ' +
    'from its fund.',
  section: '§4.3',
  example: 'register-cashout/usual',
  envelope: cashoutEnvelope,
  from: 'body',
  fields,
  keepsAnswersAs: 'register-cashout',
  caller: 'merchant',
  effect: 'writes',
  proof: ['merchant', 'operation', 'amount', 'currency', 'document'],
  refusals: {
    merchant_invalid: MERCHANT_INVALID,
    parameter_invalid: PARAMETER_INVALID,
    operation_invalid: OPERATION_INVALID,
    amount_invalid: CASHOUT_AMOUNT_INVALID,
    expire_malformed: EXPIRE_MALFORMED,
    checksum_invalid: CHECKSUM_INVALID,
    ...KEY_REFUSALS,
    ...DECIDED_REFUSALS,
  },
  parse: parseContent,
  run: async ({ values: { operation: operationId, checksum, ...sent }, parsed: content, caller, requestId, once }, deps: Deps) => {
    const amounts = [sent.amount, sent.transactionCost ?? '0'];
    if (caller.strictAmounts && !amounts.every((amount) => hasNoMoreDecimals(amount, sent.currency))) return refuse('amount_invalid');
    return deps.registerCashout({ ...content, operationId, proof: proofOf(checksum), merchant: caller, requestId, once });
  },
  answer: (registered, _, { shapes }) => registeredAnswer(registered, shapes),
  keptAnswer: (registered, { shapes }) => keptRegisteredAnswer(registered, shapes),
  data: registeredSchema,
});

type Content = Omit<RegisterRequest, 'operationId' | 'proof' | 'merchant' | 'requestId'>;

/** Judges the amounts by their currency. An empty text of an optional field counts as absent. Contract §2, §4.3. */
function parseContent(
  sent: PartialFieldValues<typeof fields>,
  refuse: RefuseField<'parameter_invalid' | 'amount_invalid'>,
  context: ParseContext<Deps, Merchant>,
): Content | undefined | Promise<Content | undefined> {
  const content = readContent(sent, refuse, context);
  const judged = judgeDocument(sent, refuse, context, ['merchant', 'operation', 'amount', 'currency', 'document']);
  return judged instanceof Promise ? judged.then(() => content) : content;
}

function readContent(
  sent: PartialFieldValues<typeof fields>,
  refuse: RefuseField<'parameter_invalid' | 'amount_invalid'>,
  { deps: { shapes } }: ParseContext<Deps, Merchant>,
): Content | undefined {
  const { currency, amount, document } = sent;
  if (currency !== undefined && currencyExponent(currency) === undefined) refuse('parameter_invalid', 'currency', 'unknown');
  const amountMinor = amount === undefined || currency === undefined ? undefined : parseWireAmount(amount, currency);
  if (amount !== undefined && (amountMinor === undefined || hasLeadingZero(amount))) refuse('amount_invalid', 'amount');
  const transactionCostMinor = currency === undefined ? undefined : parseWireCost(sent.transactionCost || '0', currency);
  if (transactionCostMinor === undefined) refuse('parameter_invalid', 'transactionCost');
  const handover = readHandover(sent, refuse, shapes);
  if (currency === undefined || amountMinor === undefined || transactionCostMinor === undefined || document === undefined) return undefined;
  return { ...handover, amountMinor, transactionCostMinor, currency, document };
}
