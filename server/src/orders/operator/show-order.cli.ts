import type { Command } from 'commander';
import {
  CommandRefused,
  details,
  JSON_OPTION,
  localText,
  print,
  printJson,
  table,
  UTC_OPTION,
  withConnection,
  type Cell,
  type Connect,
} from '../../kit/command-line.ts';
import { formatAllDecimals } from '../../kit/money.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { OrderEvent, RecordedValue } from '../order-history.ts';
import type { Order, OrderKey, OrderState } from '../order.ts';
import { REFUSED_HEADING, refusedCells, showRefused } from '../payments/refused.cli.ts';
import type { WholeOrder } from './read-whole-order.ts';

type Options = { readonly merchant: string; readonly utc?: true; readonly json?: true };

/** Adds `caudal orders show`. */
export function showOrderCommand(orders: Command, connect: Connect): void {
  orders
    .command('show')
    .description('an order with its history, payments, refused payments, notices, mails and ledger entries')
    .argument('<order>', "the merchant's id of it")
    .requiredOption('--merchant <id>', 'whose order it is')
    .option(...UTC_OPTION)
    .option(...JSON_OPTION)
    .action((orderId: string, { merchant, utc, json }: Options) => show(connect, { merchantId: merchant, orderId }, utc === true, json));
}

async function show(connect: Connect, key: OrderKey, isUtc: boolean, json: true | undefined): Promise<void> {
  await withConnection(connect, async ({ db, clock }) => {
    const [{ readWholeOrder }, { readSharedZone }, { stateAt }] = await Promise.all([
      import('./read-whole-order.ts'),
      import('../../merchants/index.ts'),
      import('../order.ts'),
    ]);
    const whole = await readWholeOrder(db, key);
    if (isRefusal(whole)) throw new CommandRefused(`${key.orderId} of ${key.merchantId} does not exist.`);
    const state = stateAt(whole.order, clock.now());
    if (json) return printJson(toJson(whole, state));
    const zone = await readSharedZone(db, [key.merchantId], isUtc);
    print(details(toLines(whole.order, state, zone), zone));
    for (const [heading, rows] of toTables(whole)) if (rows.length > 0) print(`\n${table(heading, rows, zone)}`);
  });
}

function toLines(order: Order, state: OrderState, zone: string): [string, Cell][] {
  const { email, userName, userDocument, userDocumentType, expiresAt, recurrent } = order;
  const document = [userDocumentType, userDocument].filter(Boolean).join(' ');
  const end = expiresAt === null ? 'never' : localText(expiresAt, zone);
  return [
    ['order', order.orderId],
    ['merchant', order.merchantId],
    ['service id', order.serviceOrderId],
    ['state', recurrent ? `${state}, recurrent` : state],
    ['amount', `${formatAllDecimals(order.amountMinor, order.currency)} ${order.currency}`],
    ['description', order.description],
    ['reference', order.reference],
    ['payer', [email, userName, document].filter(Boolean).join(', ')],
    ['country', order.country],
    ['last day', order.expiresOn.toString()],
    ['expires', end],
    [
      'checkout link',
      state === 'pending' ? `valid ${expiresAt === null ? 'without end' : `until ${end}`}` : `not payable: the order is ${state}`,
    ],
    ['created', order.createdAt],
    ['updated', order.updatedAt],
    ['version', order.version],
  ];
}

type Tables = readonly (readonly [heading: readonly string[], rows: readonly (readonly Cell[])[]])[];

const toTables = ({ history, payments, refused, notices, mails, entries }: WholeOrder): Tables => [
  [['VERSION', 'AT', 'EVENT', 'BY', 'CHANGES'], history.flatMap(historyRows)],
  [
    ['PAYMENT', 'BY', 'TRANSACTION', 'AMOUNT', 'FEE AND TAX', 'STATE', 'PAID', 'GIVEN BACK'],
    payments.map((one) => {
      const fee = { amountMinor: one.feeMinor + one.taxMinor, currency: one.currency };
      return [one.paymentNumber, one.source, one.transactionId, one, fee, one.state, one.paidAt, one.givenBackAt];
    }),
  ],
  [REFUSED_HEADING, refused.map(refusedCells)],
  [
    ['NOTICE', 'STATUS', 'STATE', 'ATTEMPTS', 'WRITTEN', 'LAST ATTEMPT', 'ANSWER', 'PROBLEM'],
    notices.map(({ notice, delivery: { state, attempts, attemptedAt, answerStatus, problem } }) => [
      String(notice.noticeId),
      notice.status,
      state.replace('_', '-'),
      attempts,
      notice.at,
      attemptedAt,
      answerStatus,
      problem,
    ]),
  ],
  [
    ['MAIL', 'STATE', 'ATTEMPTS', 'WRITTEN', 'ENDED', 'PROBLEM'],
    mails.map((one) => [one.kind, one.state, one.attempts, one.createdAt, one.endedAt, one.problem]),
  ],
  [['POSTED', 'TRANSACTION', 'ACCOUNT', 'AMOUNT'], entries.map((one) => [one.postedAt, one.transactionId, one.account, one])],
];

/** Each changed field has a line of its own. A creation is one line: the order above says what it holds. */
function historyRows({ version, event, actor, changedAt, changes }: OrderEvent): Cell[][] {
  const fields = event === 'order.created' ? [] : Object.entries(changes);
  const [first = '', ...others] = fields.map(([name, [from, to]]) => `${name}: ${valueText(name, from)} → ${valueText(name, to)}`);
  return [[version, changedAt, event, actor, first], ...others.map((text): Cell[] => [null, null, null, null, text])];
}

/** The history holds an amount as minor units and currency. */
function valueText(field: string, value: RecordedValue): string {
  if (value === null || value === '') return 'none';
  if (field !== 'amount') return String(value);
  const [amountMinor = '', currency = ''] = String(value).split(' ');
  return `${formatAllDecimals(BigInt(amountMinor), currency)} ${currency}`;
}

function toJson({ order, history, payments, refused, notices, mails, entries }: WholeOrder, state: OrderState) {
  const {
    merchantId,
    orderId,
    serviceOrderId,
    amountMinor,
    expiresAt,
    payments: _payments,
    paymentsGivenBack: _givenBack,
    ...rest
  } = order;
  return {
    merchant: merchantId,
    order: orderId,
    serviceOrderId: serviceOrderId.toString(),
    ...rest,
    state,
    amount: formatAllDecimals(amountMinor, order.currency),
    expiresAt,
    checkoutLink: { isPayable: state === 'pending', until: expiresAt },
    history: history.map(({ version, event, actor, changedAt, requestId, changes }) => ({
      version,
      event,
      by: actor,
      at: changedAt,
      requestId,
      changes: Object.fromEntries(
        Object.entries(changes).map(([name, [from, to]]) => [name, { from: jsonValue(name, from), to: jsonValue(name, to) }]),
      ),
    })),
    payments: payments.map((one) => ({
      payment: one.paymentNumber,
      by: one.source,
      transaction: one.transactionId,
      amount: formatAllDecimals(one.amountMinor, one.currency),
      currency: one.currency,
      fee: formatAllDecimals(one.feeMinor + one.taxMinor, one.currency),
      state: one.state,
      paidAt: one.paidAt,
      givenBackAt: one.givenBackAt,
    })),
    refused: refused.map(showRefused),
    notices: notices.map(({ notice: { noticeId, status, at }, delivery }) => ({
      id: String(noticeId),
      status,
      writtenAt: at,
      ...delivery,
    })),
    mails: mails.map((one) => ({
      kind: one.kind,
      state: one.state,
      attempts: one.attempts,
      problem: one.problem,
      writtenAt: one.createdAt,
      endedAt: one.endedAt,
    })),
    entries: entries.map((one) => ({
      transaction: one.transactionId,
      account: one.account,
      amount: formatAllDecimals(one.amountMinor, one.currency),
      currency: one.currency,
      postedAt: one.postedAt,
    })),
  };
}

const jsonValue = (field: string, value: RecordedValue): RecordedValue =>
  field === 'amount' && value !== null ? valueText(field, value) : value;
