import { setTimeout as delay } from 'node:timers/promises';
import type { Inject } from '../faults.ts';
import type { Pair } from './pair.ts';

/** For this time the service acknowledges writes that its standby does not get. */
const HELD_MS = 1_000;

/** Fail-overs by their names. Each begins with a whole pair. Its end is that the standby is promoted. */
export const FAIL_OVERS = {
  'kill primary': async ({ database }) => {
    await database.signalPrimary('SIGKILL');
    return () => database.failOver();
  },
  // Connections to it hang, and it is there for a while beside the new primary. Then it is killed: it never goes on.
  'stop primary': async ({ database }) => {
    await database.signalPrimary('SIGSTOP');
    return () => database.failOver();
  },
  // It knows nothing of the new primary, and serves who is still connected to it. Then it is killed.
  'wake primary': async ({ database }) => {
    await database.signalPrimary('SIGSTOP');
    return async () => {
      await database.failOver();
      await database.wakePrimary();
    };
  },
  'switch over': async ({ database }) => {
    await database.stopPrimary();
    return () => database.failOver();
  },
} satisfies Record<string, Inject<Pair>>;

/** What a synchronous standby rules out: writes that were acknowledged are lost. */
export const loseWrites: Inject<Pair> = async ({ database }) => {
  await database.holdStandby();
  await delay(HELD_MS);
  await database.signalPrimary('SIGKILL');
  return () => database.failOver();
};
