import type { Clock } from '../kit/clock.ts';
import { statement, type Db, type Statement } from '../kit/db.ts';
import { refuse, type Refusal } from '../kit/outcome.ts';
import { TELL_CHANGE } from './network-rows.ts';

const DISABLE = statement(
  'networks.disable',
  `update networks set disabled_at = coalesce(disabled_at, $2) where network_id = $1 returning network_id`,
);
const ENABLE = statement('networks.enable', `update networks set disabled_at = null where network_id = $1 returning network_id`);

/**
 * Disables a network: from then on it is answered like one that does not exist. What it paid and collected stays.
 * Shape: → undefined; a network that is disabled already keeps the time of the first.
 * Refuses: network_unknown.
 * Effects: told to every running server at commit.
 * Source: contract §2.2.
 */
export async function disableNetwork(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  netname: string,
): Promise<undefined | Refusal<'network_unknown'>> {
  return change(db, DISABLE, netname, clock.now());
}

/**
 * Enables a network again, with the secrets that it had.
 * Refuses: network_unknown.
 * Effects: told to every running server at commit.
 */
export async function enableNetwork({ db }: { readonly db: Db }, netname: string): Promise<undefined | Refusal<'network_unknown'>> {
  return change(db, ENABLE, netname);
}

function change(
  db: Db,
  update: Statement,
  netname: string,
  ...values: Temporal.Instant[]
): Promise<undefined | Refusal<'network_unknown'>> {
  return db.transaction(async (tx) => {
    const changed = await tx.query(update, [netname, ...values]);
    if (changed.length === 0) return refuse('network_unknown');
    tx.send(TELL_CHANGE, [netname]);
    return undefined;
  });
}
