import { DatabaseError } from 'pg';
import { Unavailable } from '../kit/db.ts';

/** SQLSTATE numeric_value_out_of_range. */
const OUT_OF_RANGE = '22003';

/** Tells whether postings failed because an account cannot hold what they make of it: a balance is a signed 64-bit integer. */
export function isBeyondLedger(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === OUT_OF_RANGE && error.where?.includes('ledger_apply_entries') === true;
}

/**
 * Waits for work that posts to the ledger.
 * Shape: what a batch, or a transaction of its own, has promised → the same. It goes around the batch, never into it: the item that is too
 * much fails alone there, while Unavailable in a batch means that the database is gone for all of its items.
 * Throws: Unavailable where an account cannot hold the sum. Nothing is written then, and the same request goes through once an operator has
 * settled the account: nobody takes money twice, and what a network holds is not refused for good.
 * Source: contract §2.6.
 */
export async function withinLedger<T>(posting: Promise<T>): Promise<T> {
  try {
    return await posting;
  } catch (error) {
    if (!isBeyondLedger(error)) throw error;
    throw new Unavailable('the ledger: an account would hold more than 64 bits can; "caudal ledger adjust" enters its settlement');
  }
}
