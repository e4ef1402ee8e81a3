import type { ActActor } from '../kit/changes/act.ts';
import { statement, type Db } from '../kit/db.ts';
import { namedStatement } from '../kit/lists/named-parameters.ts';
import { countsOfWalk, MOST_SUMMED, summaryOf, type Summary, type SumRow } from '../kit/lists/sums.ts';
import { isOnly, type ActsOf } from './acts-of.ts';
import type { StoredAct } from './chain.ts';

/** The columns of `acts a`, as statements read them. */
export const ACT_COLUMNS = `a.act_id as "actId", a.acted_at as at, a.actor_kind as kind, a.actor_id as id, a.actor_name as name, a.source,
  a.request_id as "requestId", a.operation, a.merchant_id as "merchantId", a.target, a.outcome, a.details_hash as "detailsHash"`;

export type ActRow = Omit<StoredAct, 'actor'> & ActActor;

export const toAct = ({ kind, id, name, ...act }: ActRow): StoredAct => ({ ...act, actor: { kind, id, name } });

/** Which acts are listed. What is absent limits nothing. */
export type ActFilter = {
  readonly since?: Temporal.Instant | undefined;
  readonly until?: Temporal.Instant | undefined;
  /** The id or the name of an actor. */
  readonly actor?: string | undefined;
  readonly operation?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly only?: ActsOf | undefined;
  readonly limit: number;
  /** The last act of the page before. */
  readonly after?: { readonly at: Temporal.Instant; readonly actId: bigint } | undefined;
};

/** `place`: null until it is linked, within a second. `content`: null: there are no details, or they were erased. */
export type ListedAct = StoredAct & { readonly place: bigint | null; readonly content: string | null; readonly erasedAs: string | null };

const LISTED = `select ${ACT_COLUMNS}, l.place, d.content, d.erased_as as "erasedAs"
  from acts a left join act_links l using (act_id) left join act_details d using (act_id)`;

const LIST = statement(
  'audit.list_acts',
  `${LISTED}
   where ($1::timestamptz is null or a.acted_at >= $1) and ($2::timestamptz is null or a.acted_at < $2)
     and ($3::text is null or a.actor_id = $3 or a.actor_name = $3) and ($4::text is null or a.operation = $4)
     and ($5::text is null or a.merchant_id = $5) and ${isOnly('$9', 'a.operation')}
     and ($6::timestamptz is null or (a.acted_at, a.act_id) < ($6, $7::bigint))
   order by a.acted_at desc, a.act_id desc limit $8`,
);

type ListedRow = ActRow & Omit<ListedAct, keyof StoredAct>;

/** Lists acts, the newest first. */
export async function listActs(db: Pick<Db, 'query'>, filter: ActFilter): Promise<readonly ListedAct[]> {
  const { since = null, until = null, actor = null, operation = null, merchantId = null, only = null, after, limit } = filter;
  const values = [since, until, actor, operation, merchantId, after?.at ?? null, after?.actId ?? null, limit, only];
  return (await db.query<ListedRow>(LIST, values)).map(toListed);
}

const COUNTED = {
  since: 'timestamptz',
  until: 'timestamptz',
  actor: 'text',
  operation: 'text',
  merchant: 'text',
  only: 'text',
  most: 'bigint',
} as const;
const countWhere = (name: string, where: string) =>
  namedStatement(
    name,
    COUNTED,
    countsOfWalk({
      table: 'acts',
      where: `${where} and o.acted_at >= coalesce($since, '-infinity') and o.acted_at < coalesce($until, 'infinity')`,
      order: 'o.acted_at desc, o.act_id desc',
      state: `case when o.outcome = 'done' then 'done' else 'refused' end`,
      fits: `(($actor is null or o.actor_id = $actor or o.actor_name = $actor) and ($operation is null or o.operation = $operation)
             and ${isOnly('$only', 'o.operation')})`,
    }),
  );
const COUNT_ALL = countWhere('audit.count_acts', 'true');
const COUNT_OF_MERCHANT = countWhere('audit.count_acts_of_merchant', 'o.merchant_id = $merchant');

/** How an act ended. */
export const ACT_STATES = ['done', 'refused'] as const;

/** Counts the acts of a filter, by how they ended. Effects: none; it reads MOST_SUMMED rows at most. */
export async function countActs(
  db: Pick<Db, 'query'>,
  { merchantId: merchant, ...filter }: Omit<ActFilter, 'limit' | 'after'>,
): Promise<Summary<(typeof ACT_STATES)[number]>> {
  const read = merchant === undefined ? COUNT_ALL : COUNT_OF_MERCHANT;
  return summaryOf(await read<SumRow<(typeof ACT_STATES)[number]>>(db, { ...filter, merchant, most: MOST_SUMMED }), ACT_STATES, undefined);
}

const ONE = statement('audit.read_act', `${LISTED} where a.act_id = $1`);

/** Reads one act. Undefined: there is none. */
export async function readAct(db: Pick<Db, 'query'>, actId: bigint): Promise<ListedAct | undefined> {
  const [row] = await db.query<ListedRow>(ONE, [actId]);
  return row && toListed(row);
}

const toListed = ({ place, content, erasedAs, ...row }: ListedRow): ListedAct => ({ ...toAct(row), place, content, erasedAs });
