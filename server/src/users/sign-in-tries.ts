import { TooManyRequests } from '../kit/http.ts';
import { statement, type Tx } from '../kit/db.ts';

/**
 * The most tries within a time. `place`: of one account from one network. `network`: of all accounts from one network.
 * `account`: of one account, where nobody ever signed in to it from there.
 * So a stranger cannot lock an owner out of the owner's own network.
 */
const LIMITS = {
  place: { most: 10, minutes: 15 },
  network: { most: 50, minutes: 15 },
  account: { most: 100, minutes: 24 * 60 },
} as const;
/** For how long a network is known after somebody signed in from it. */
const KNOWN_DAYS = 90;
/** All accounts, or all networks. */
const ANY = '';

/** How long tries of a row count: those of an account from everywhere longer than others. */
const WINDOW = `case when kept.network = '' then interval '${LIMITS.account.minutes} minutes' else interval '${LIMITS.place.minutes} minutes' end`;
const COUNT_UP = `on conflict (account, network) do update set
     since = case when excluded.since - kept.since >= ${WINDOW} then excluded.since else kept.since end,
     tries = case when excluded.since - kept.since >= ${WINDOW} then 1 else least(kept.tries + 1, 1000000) end
   returning account, network, since, tries, known_until as "knownUntil"`;
/** A network beyond its limit adds no row: made-up accounts fill no table. */
const COUNT = statement(
  'users.count_try',
  `with of_network as (
     insert into sign_in_tries as kept (account, network, since, tries) values ('', $2, $3::timestamptz, 1) ${COUNT_UP}
   ), of_account as (
     insert into sign_in_tries as kept (account, network, since, tries)
     select $1, k.network, $3::timestamptz, 1 from of_network n, unnest(array['', $2]) with ordinality as k (network, place)
      where n.tries <= ${LIMITS.network.most} order by k.place ${COUNT_UP}
   ) select * from of_network union all select * from of_account`,
);
/** Tries that end in success are not guesses. */
const SUCCEED = statement(
  'users.note_success',
  `update sign_in_tries set tries = case when account = '' then greatest(tries - 1, 0) else 0 end,
     known_until = case when account = '' or network = '' then null else $3::timestamptz end
    where account in ($1, '') and network in ($2, '')`,
);
const FORGET_ACCOUNT = statement('users.forget_tries_of_account', `update sign_in_tries set tries = 0 where account = $1`);

type TryRow = {
  readonly account: string;
  readonly network: string;
  readonly since: Temporal.Instant;
  readonly tries: number;
  readonly knownUntil: Temporal.Instant | null;
};

/** Who tries: an account as it was named, whether or not it exists, and the network of the address. */
export type Try = { readonly account: string; readonly network: string };

/**
 * Counts a try before anything is compared. So requests at the same time count together, on every server.
 * Shape: → the seconds to wait; undefined: the try may go on.
 */
export async function countTry(tx: Tx, { account, network }: Try, now: Temporal.Instant): Promise<number | undefined> {
  const kinds = [
    { ...LIMITS.network, account: ANY, network },
    { ...LIMITS.account, account, network: ANY },
    { ...LIMITS.place, account, network },
  ];
  const rows = await tx.query<TryRow>(COUNT, [account, network, now]);
  const find = (ofAccount: string, ofNetwork: string): TryRow | undefined =>
    rows.find((row) => row.account === ofAccount && row.network === ofNetwork);
  const knownUntil = find(account, network)?.knownUntil ?? now;
  const isKnown = Temporal.Instant.compare(now, knownUntil) < 0;
  const waits = kinds.flatMap((kind) => {
    const { tries, since } = find(kind.account, kind.network) ?? { tries: 0, since: now };
    const isCounted = kind.network !== ANY || !isKnown;
    return isCounted && tries > kind.most ? [since.add({ minutes: kind.minutes }).since(now).total('seconds')] : [];
  });
  return waits.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...waits)));
}

/** Says how long to wait, whether or not the account exists. */
export const refuseTry = (seconds: number): TooManyRequests => new TooManyRequests({ 'retry-after': String(seconds) });

/** Notes that a try was not a guess: its network is known from now on. */
export const noteSuccess = (tx: Pick<Tx, 'send'>, { account, network }: Try, now: Temporal.Instant): void =>
  tx.send(SUCCEED, [account, network, now.add({ hours: 24 * KNOWN_DAYS })]);

/** Forgets the tries of an account: its user came by a one-time link. */
export const forgetTries = (tx: Pick<Tx, 'send'>, account: string): void => tx.send(FORGET_ACCOUNT, [account]);
