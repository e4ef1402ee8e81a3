import type { OpenActing } from '../kit/changes/act.ts';
import type { Db } from '../kit/db.ts';
import type { HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import { mapCells, type PerCell } from '../kit/per-cell.ts';
import { serveOperations, type Dialect, type Gates } from '../requests/index.ts';
import { createCancel } from './cancel-cashout.ts';
import { cancelCashoutOperation } from './cancel-cashout.wire.ts';
import type { CashoutDeps } from './cashout-deps.ts';
import { cashoutShapes } from './dialect/cashout-shapes.ts';
import { forgetEndUsers } from './end-users/forget-end-users.job.ts';
import { expireCashouts } from './expiry/expire-cashouts.job.ts';
import { listFamilyMovementsOperation } from './dialect/family-movements.wire.ts';
import { moveToFundOperation } from './fund/move-to-fund.wire.ts';
import { listMovementsOperation } from './fund/movements.wire.ts';
import { readBalanceOperation } from './fund/read-balance.wire.ts';
import { listCashoutsOperation } from './list-cashouts.wire.ts';
import { forgetWrongTries } from './network/forget-wrong-tries.job.ts';
import type { CashoutManagementDeps } from './manage/cashouts.manage.ts';
import { createLookUp } from './network/look-up-cashout.ts';
import { lookUpCashoutOperation } from './network/look-up-cashout.wire.ts';
import { createPay } from './network/pay-cashout.ts';
import { payCashoutOperation } from './network/pay-cashout.wire.ts';
import { readCollections } from './network/payment-rows.ts';
import { createReverse } from './network/reverse-payment.ts';
import { reverseCashoutPaymentOperation } from './network/reverse-payment.wire.ts';
import { openCollectionClaims } from './network/transaction-claims.ts';
import { createNullify } from './operator/nullify-cashout.ts';
import { createUnlock } from './operator/unlock-cashout.ts';
import { renewPasswordOnce } from './password/renew-password.ts';
import { renewPasswordOperation } from './password/renew-password.wire.ts';
import { queryCashoutOperation } from './query-cashout.wire.ts';
import { createRegister } from './register-cashout.ts';
import { registerCashoutOperation } from './registration/register-cashout.wire.ts';

export { CASHOUT_CHECKS } from './expiry/doctor-checks.ts';
export { cashoutLists } from './find/list-cashouts.manage.ts';
export { CASHOUT_FIELDS_SEARCHED, searchCashouts, type CashoutHit, type CashoutTexts, type FoundCashout } from './find/search-cashouts.ts';
export { CASHOUT_STATES, type Cashout, type CashoutState } from './cashout.ts';
export { cashoutFaults, sandboxCashoutFaults } from './answers.wire.ts';
export { limitManagement } from './limits/limits.manage.ts';
export { cashoutManagement, cashoutWrites } from './manage/cashouts.manage.ts';
export { operationId } from './manage/cashout-forms.ts';
export {
  contentOf,
  mayRegister,
  newCashout,
  presentWithPassword,
  present as presentCashout,
  REGISTER_REFUSALS,
  withPassword,
} from './manage/registration-forms.ts';
export { cashoutShapes, type CashoutShapes } from './dialect/cashout-shapes.ts';
export { registrationForm } from './registration/registration-form.wire.ts';
export { registration, type RegisterDeps, type RegisteredCashout, type RegisterRequest, type RegisterWorld } from './register-cashout.ts';
export type { RegisterRefusal } from './cashout-decisions.ts';
export { cashoutsOfRefunds, endedCashoutOf } from './find/cashouts-of-refunds.ts';
export { cashoutCommands } from './cashouts.cli.ts';
export { END_USER_FIELDS, endUserData } from './end-users/end-user-data.ts';
export { cashoutFigures } from './figures/cashout-figures.ts';
export { TYPED_DOCUMENT } from './end-users/documents.ts';
export { cashoutClaimChecks } from './network/verify-claims.ts';
export { cashoutChecks } from './verify-cashouts.ts';

/** The operations of the room, in the order of the documents. */
export const cashoutOperations = [
  listCashoutsOperation,
  registerCashoutOperation,
  queryCashoutOperation,
  cancelCashoutOperation,
  renewPasswordOperation,
  readBalanceOperation,
  listMovementsOperation,
  moveToFundOperation,
  lookUpCashoutOperation,
  payCashoutOperation,
  reverseCashoutPaymentOperation,
] as const;

/** The same in the dialect of the family. */
const familyOperations = cashoutOperations.map((one) => (one === listMovementsOperation ? listFamilyMovementsOperation : one));

export type CashoutRoom = Omit<CashoutDeps, 'shapes'> & {
  /** Records who moved money to a fund. */
  readonly acting: OpenActing;
  readonly isSandbox: boolean;
  readonly dialect: Dialect;
  /** How long end users of ended cashouts are kept. Undefined: with no end. */
  readonly keptEndUsersDays: number | undefined;
};

/** Networks of the family reverse under the plural too. */
const inPlural = (path: string): readonly string[] =>
  path === '/cashout/v1/transaction/:netname/:transaction' ? ['/cashout/v1/transactions/:netname/:transaction'] : [];
/** In the sandbox the operations are served without the leading `/cashout` too: contract §4. */
const withoutPrefix = (path: string): readonly string[] => [path, ...inPlural(path)].map((own) => own.replace(/^\/cashout/, ''));

/** What a network does at its counter, for the network of a sandbox. */
export type CashoutCounter = {
  readonly lookUpCashout: ReturnType<typeof createLookUp>;
  readonly payCashout: ReturnType<typeof createPay>;
  readonly reverseCashoutPayment: ReturnType<typeof createReverse>;
  readonly readPayments: typeof readCollections;
};

/** Opens what the operations of the room depend on: also for a command that serves no request. */
export function openCashouts<
  Room extends Omit<CashoutDeps, 'shapes'> & {
    readonly dialect: Dialect;
    readonly cell: number;
    readonly dbs: PerCell<Db>;
  },
>(options: Room) {
  const room = { ...options, shapes: cashoutShapes(options.dialect), claims: openCollectionClaims(options) };
  return {
    ...room,
    registerCashout: createRegister(room),
    cancelCashout: createCancel(room),
    renewPassword: renewPasswordOnce(room),
    lookUpCashout: createLookUp(room),
    payCashout: createPay(room),
    reverseCashoutPayment: createReverse(room),
    nullifyCashout: createNullify(room),
    unlockCashout: createUnlock(room),
    readPayments: readCollections,
  };
}

/** What other rooms and main do with cashouts. */
export type RegisteredCashouts = {
  /** What is due by the clock. */
  readonly jobs: readonly Job[];
  /** What the operations of the management API depend on. */
  readonly deps: CashoutManagementDeps;
  readonly counter: CashoutCounter;
};

/** The other paths under which an operation is served; none of one that is not of cashouts. */
export const cashoutAliases =
  (isSandbox: boolean) =>
  (path: string): readonly string[] =>
    path.startsWith('/cashout/') ? [...inPlural(path), ...(isSandbox ? withoutPrefix(path) : [])] : [];

/** Opens the room in each cell, and adds its routes. */
export function registerCashouts(app: HttpServer, gates: Gates, rooms: PerCell<CashoutRoom>): PerCell<RegisteredCashouts> {
  const { isSandbox, dialect } = rooms.home;
  const dbs = mapCells(rooms, ({ db }) => db);
  const deps = mapCells(rooms, (room, cell) => openCashouts({ ...room, cell, dbs }));
  serveOperations(
    { app, gates, deps, dialect, aliasesOf: cashoutAliases(isSandbox) },
    dialect.cashoutAnswers === 'contract' ? cashoutOperations : familyOperations,
  );
  return mapCells(rooms, (room, cell) => {
    const own = deps.of(cell);
    return {
      deps: { ...own, isSandbox },
      counter: own,
      jobs: [expireCashouts(room), forgetWrongTries(room), ...forgetEndUsers(room, room.keptEndUsersDays)],
    };
  });
}
