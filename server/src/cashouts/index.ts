import type { Clock } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { MerchantDirectory } from '../merchants/index.ts';
import type { Messages } from '../messages/index.ts';
import type { NetworkDirectory } from '../networks/index.ts';
import type { Requests } from '../requests/index.ts';
import { addCancelCashout } from './cancel-cashout.wire.ts';
import type { DateForm } from './cashout.wire.ts';
import { expireCashouts } from './expiry/expire-cashouts.job.ts';
import { addListMovements } from './fund/movements.wire.ts';
import { addReadBalance } from './fund/read-balance.wire.ts';
import { addListCashouts } from './list-cashouts.wire.ts';
import { forgetWrongTries } from './network/forget-wrong-tries.job.ts';
import { addLookUpCashout } from './network/look-up-cashout.wire.ts';
import { addPayCashout } from './network/pay-cashout.wire.ts';
import { addReversePayment } from './network/reverse-payment.wire.ts';
import { addRenewPassword } from './password/renew-password.wire.ts';
import { addQueryCashout } from './query-cashout.wire.ts';
import { addRegisterCashout } from './register-cashout.wire.ts';

export { cashoutDoor, sandboxCashoutDoor } from './cashout.wire.ts';
export { cashoutCommands } from './cashouts.cli.ts';
export { importCashouts } from './import/import-cashouts.ts';
export { cashoutChecks } from './verify-cashouts.ts';

export type CashoutDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly merchants: MerchantDirectory;
  /** Proves who asks, and answers a repeated request. */
  readonly requests: Pick<Requests, 'callers' | 'answerOnce'>;
  readonly networks: NetworkDirectory;
  /** Takes one-time passwords to end users. */
  readonly messages: Pick<Messages, 'writes' | 'write'>;
  /** Signs the cursors of the list. */
  readonly cursorKey: Buffer;
  /** Under which one-time passwords are kept. */
  readonly otpKey: Buffer;
  readonly dateForm: DateForm;
  readonly isSandbox: boolean;
  /** Batches hold the requests of one merchant only: for a database that is distributed by merchant. */
  readonly isBatchPerMerchant: boolean;
};

type AddRoutes = (app: HttpServer, prefixes: readonly string[], deps: CashoutDeps) => void;

/** Each operation adds its routes under every prefix it is given; the first one is documented, the others are the same door. */
const OPERATIONS: readonly AddRoutes[] = [
  addListCashouts,
  addRegisterCashout,
  addQueryCashout,
  addCancelCashout,
  addRenewPassword,
  addReadBalance,
  addListMovements,
  addLookUpCashout,
  addPayCashout,
  addReversePayment,
];

/**
 * Adds the cashout operations of merchants and networks. In sandbox mode they also answer without the leading `/cashout` (contract §4).
 * Shape: returns what is due by the clock.
 */
export function registerCashouts(app: HttpServer, deps: CashoutDeps): { readonly jobs: readonly Job[] } {
  const prefixes = deps.isSandbox ? ['/cashout/v1', '/v1'] : ['/cashout/v1'];
  for (const addRoutes of OPERATIONS) addRoutes(app, prefixes, deps);
  return { jobs: [expireCashouts(deps), forgetWrongTries(deps)] };
}
