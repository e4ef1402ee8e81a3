import type { Checker } from './check.ts';
import type { StagedCell, StagedDatabase } from './database.ts';
import { Contradiction } from './possible.ts';
import type { Stage } from './stage.ts';
import type { Subject } from './subject.ts';

type Alteration = {
  readonly what: string;
  readonly of: 'order' | 'cashout' | 'top-up' | 'refund' | 'settlement' | 'fund';
  readonly statements: readonly string[];
};

/** What a service that loses or invents something would have stored. The merchant is $1, the order, the cashout and so on $2. */
const ALTERATIONS: readonly Alteration[] = [
  {
    what: 'an order is gone',
    of: 'order',
    statements: [
      'delete from order_history where merchant_id = $1 and order_id = $2',
      'delete from orders where merchant_id = $1 and order_id = $2',
    ],
  },
  {
    what: 'an order has another amount',
    of: 'order',
    statements: ['update orders set amount_minor = amount_minor + 1 where merchant_id = $1 and order_id = $2'],
  },
  {
    what: 'a change is not in the history',
    of: 'order',
    statements: [
      `delete from order_history as one where merchant_id = $1 and order_id = $2
          and version = (select max(version) from order_history where merchant_id = one.merchant_id and order_id = one.order_id)`,
    ],
  },
  {
    what: 'a cashout has another state',
    of: 'cashout',
    statements: [
      `update cashouts set state = case state when 'cancelled' then 'approved' else 'cancelled' end
        where merchant_id = $1 and operation_id = $2`,
    ],
  },
  {
    what: 'a top-up has no act',
    of: 'top-up',
    statements: [
      `delete from acts using act_details where acts.act_id = act_details.act_id and operation = 'topUp' and merchant_id = $1
          and content::json #>> '{given,reference}' = $2`,
    ],
  },
  {
    what: 'a refund has another state',
    of: 'refund',
    statements: [
      `update order_refunds set problem = null,
              state = case when ended_at is null then 'requested' when state = 'paid' then 'cancelled' else 'paid' end
        where merchant_id = $1 and refund_id = $2`,
    ],
  },
  {
    what: 'a settlement has another state',
    of: 'settlement',
    statements: [
      `update settlements set state = case state when 'cancelled' then 'draft' else 'cancelled' end,
              cancelled_at = case state when 'cancelled' then null else made_at end, approved_at = null, sent_at = null, paid_at = null,
              bank_reference = null, returned_at = null, problem = null
        where merchant_id = $1 and settlement_id = $2::bigint`,
    ],
  },
  {
    what: 'a fund holds another amount',
    of: 'fund',
    statements: [
      `update ledger_balances set balance_minor = balance_minor + 100 where merchant_id = $1 and account = 'available' and $2 <> ''`,
    ],
  },
];

/** A short run may have none of which every answer came. */
const SELDOM: ReadonlySet<Alteration['of']> = new Set(['refund', 'settlement']);

/**
 * Alters rows behind the back of the service, and lets the checker read them.
 * Shape: → alterations, each of which was found. Throws: Contradiction, where one was not.
 */
export async function alterRows(stage: Stage<StagedDatabase>, checker: Checker, all: readonly Subject[]): Promise<number> {
  const { database, merchants } = stage;
  let altered = database.cells === undefined ? 0 : await forgetClaims(stage);
  for (const [cell, own] of [database, ...(database.cells ?? [])].entries()) {
    const ids = new Set(merchants.filter((merchant) => merchant.cell === cell).map(({ merchantId }) => merchantId));
    altered += await alterRowsOf(
      own,
      checker,
      all.filter(({ merchantId }) => ids.has(merchantId)),
    );
  }
  return altered;
}

/** What cells use of home is claimed there: no single database shows that home has forgotten it. */
async function forgetClaims({ database, verify }: Stage<StagedDatabase>): Promise<number> {
  const forgotten = await database.askUnguarded('delete from open_references where cell is not null returning 1', []);
  if (forgotten.length === 0) throw new Error('no cell has claimed anything');
  const found = await verify().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (found instanceof Contradiction && found.message.startsWith('caudal cells verify ')) return 1;
  throw found ?? new Contradiction('"caudal cells verify" did not find that home has forgotten the claims of all cells');
}

function placeOf({ name }: Subject): { readonly merchantId: string; readonly id: string } {
  const [, merchantId = '', id = ''] = /^[\w-]+ ([^/]+)\/(.+)$/.exec(name) ?? [];
  return { merchantId, id };
}

/** Shape: → whose rows were altered. Of some there are none: what was asked for was refused. */
async function alterOne(database: StagedCell, statements: readonly string[], waiting: Subject[]): Promise<Subject | undefined> {
  for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
    const { merchantId, id } = placeOf(subject);
    const changed: number[] = [];
    // The database's own guards refuse this. Its owner can turn them off.
    for (const statement of statements) changed.push((await database.askUnguarded(`${statement} returning 1`, [merchantId, id])).length);
    if (!changed.includes(0)) return subject;
  }
  return undefined;
}

async function alterRowsOf(database: StagedCell, checker: Checker, all: readonly Subject[]): Promise<number> {
  const sure = (kind: string): Subject[] =>
    all.filter(({ name, acknowledged, lost }) => name.startsWith(`${kind} `) && acknowledged > 0 && lost === 0);
  const waiting = {
    order: sure('order'),
    cashout: sure('cashout'),
    'top-up': sure('top-up'),
    refund: sure('refund'),
    settlement: sure('settlement'),
  };
  let altered = 0;
  for (const { what, of, statements } of ALTERATIONS) {
    const subject = await alterOne(database, statements, waiting[of === 'fund' ? 'cashout' : of]);
    if (subject === undefined && SELDOM.has(of)) continue;
    if (subject === undefined) throw new Error(`there is nothing on which to try that ${what}`);
    const { merchantId } = placeOf(subject);
    const found = await (of === 'fund' ? checker.checkFunds([]) : checker.check([subject])).then(
      () => false,
      (error: unknown) => {
        // A fund of another cell may still be altered.
        if (error instanceof Contradiction) return error.message.includes(merchantId);
        throw error;
      },
    );
    if (!found) throw new Contradiction(`the checker did not find that ${what}: ${subject.name}`);
    altered++;
  }
  return altered;
}
