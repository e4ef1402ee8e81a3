import { registerCheckout } from '../checkout/index.ts';
import { cashoutDoor, registerCashouts, sandboxCashoutDoor } from '../cashouts/index.ts';
import type { Clock } from '../kit/clock.ts';
import { openDb, type Db } from '../kit/db.ts';
import { createHttpServer, type HttpServer } from '../kit/http.ts';
import type { Job } from '../kit/jobs.ts';
import type { Log } from '../kit/log.ts';
import { serviceSecret, type MasterKeys } from '../kit/secrets.ts';
import { openMerchantDirectory, type MerchantDirectory } from '../merchants/index.ts';
import { openMessages, type Messages } from '../messages/index.ts';
import { openNetworkDirectory, type NetworkDirectory } from '../networks/index.ts';
import { openNotices } from '../notices/index.ts';
import { orderDoor, payByMethod, registerOrders, sandboxMethod, type PayOrder } from '../orders/index.ts';
import { openRequests } from '../requests/index.ts';
import { openSandboxClock, registerSandbox, sandboxDoor } from '../sandbox/index.ts';
import { STATEMENT_TIMEOUT_MS, type Config } from './config.ts';
import { addApiDocument } from './openapi.ts';
import { registerProbes } from './probes.ts';

export type Caudal = {
  readonly app: HttpServer;
  readonly db: Db;
  readonly merchants: MerchantDirectory;
  readonly networks: NetworkDirectory;
  readonly messages: Messages;
  /** The clock of all rooms: in sandbox mode the one that developers move. */
  readonly clock: Clock;
  /** What is due by the clock; main runs it beside the server. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
};

export type CaudalOptions = {
  readonly config: Pick<
    Config,
    'mode' | 'databaseConnections' | 'batches' | 'checkoutUrl' | 'servicePrefix' | 'listedDateForm' | 'mail' | 'sms'
  >;
  /** A migrated database. */
  readonly url: string;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly log: Log;
  /** Where this server is reached; asked late, because a free port is known only once it listens. */
  readonly origin: () => string;
  readonly onAnswer?: (route: string, method: string, status: number, seconds: number) => void;
};

/** Builds the whole service on one database: every room with its routes, nothing listening yet. */
export async function openCaudal({ config, url, keys, clock: machineClock, log, origin, onAnswer }: CaudalOptions): Promise<Caudal> {
  const db = openDb({ url, log, connections: config.databaseConnections, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const sandboxClock = config.mode === 'sandbox' ? await openSandboxClock({ db, url, clock: machineClock, log }) : undefined;
  const clock = sandboxClock ?? machineClock;
  const [tokenKey, cursorKey, otpKey, answerKey, messageKey] = await Promise.all(
    ['checkout-token', 'list-cursor', 'one-time-password', 'kept-answers', 'messages'].map((name) => serviceSecret(db, keys, clock, name)),
  );
  const merchants = await openMerchantDirectory({ db, url, keys, clock, log });
  const networks = await openNetworkDirectory({ db, url, keys, clock, log });
  const app = createHttpServer({
    log,
    doors: [cashoutDoor, ...(config.mode === 'sandbox' ? [sandboxCashoutDoor, sandboxDoor] : []), orderDoor],
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });

  await addApiDocument(app);
  registerProbes(app, { db, log });
  const isBatchPerMerchant = config.batches === 'per-merchant';
  const checkoutUrl = (): string => config.checkoutUrl ?? `${origin()}/checkout`;
  const { mail, sms } = config;
  const messages = openMessages({ db, clock, log, key: messageKey as Buffer, mail, sms, isSandbox: config.mode === 'sandbox' });
  const requests = openRequests({ db, clock, merchants, answerKey: answerKey as Buffer, isBatchPerMerchant });
  const orders = registerOrders(app, {
    db,
    clock,
    merchants,
    networks,
    requests,
    messages,
    checkoutUrl,
    tokenKey: tokenKey as Buffer,
    servicePrefix: config.servicePrefix,
    isBatchPerMerchant,
  });
  const simulatePayment =
    config.mode === 'sandbox' ? (payment: Omit<PayOrder, 'source'>) => payByMethod(sandboxMethod, orders.payOrder, payment) : undefined;
  registerCheckout(app, { db, clock, merchants, networks, tokenKey: tokenKey as Buffer, simulatePayment });
  const cashouts = registerCashouts(app, {
    db,
    clock,
    merchants,
    requests,
    networks,
    messages,
    cursorKey: cursorKey as Buffer,
    otpKey: otpKey as Buffer,
    dateForm: config.listedDateForm,
    isSandbox: config.mode === 'sandbox',
    isBatchPerMerchant,
  });
  const notices = openNotices({
    db,
    keys,
    clock,
    wallClock: machineClock,
    log,
    servicePrefix: config.servicePrefix,
    isSandbox: config.mode === 'sandbox',
    chance: Math.random,
  });
  if (sandboxClock !== undefined) {
    const { servicePrefix } = config;
    registerSandbox(app, { db, keys, clock: sandboxClock, networks, messages, servicePrefix });
  }

  return {
    app,
    db,
    merchants,
    networks,
    messages,
    clock,
    jobs: [...requests.jobs, ...notices.jobs, ...messages.jobs, ...cashouts.jobs],
    close: async () => {
      await app.close();
      await notices.close();
      await merchants.close();
      await networks.close();
      await messages.close();
      await sandboxClock?.close();
      await db.close();
    },
  };
}
