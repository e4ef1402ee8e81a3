import type { HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import { addCancelCashout } from './cancel-cashout.wire.ts';
import type { CashoutDeps } from './cashout-deps.ts';
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
