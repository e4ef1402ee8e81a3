import type { Clock } from '../kit/clock.ts';
import { openDb, statement, type Db } from '../kit/db.ts';
import { isRefusal } from '../kit/outcome.ts';
import { openServiceKeys } from '../kit/keys/service-keys.ts';
import { createMerchant, findCountry, type Country } from '../merchants/index.ts';
import {
  openMessages,
  parseSmsUrl,
  parseSmtpUrl,
  type Messages,
  type NewMessage,
  type OneTimePasswordSms,
  type OrderMail,
  type PerHour,
} from '../messages/index.ts';
import { captureLog } from './captured.ts';
import { fixedKey } from './fixed-key.ts';
import { seededBytes } from './seed.ts';
import { testClock, testKeys, type TestCaudal, type TestClock } from './test-caudal.ts';
import { createTestDatabase } from './test-database.ts';

/** A message as it lies in the table. */
type StoredMessage = {
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | null;
  readonly sealed: Buffer | null;
  readonly dueAt: Temporal.Instant;
  readonly whole: string;
};

type OpenedRoom = Messages & {
  /** Writes in a transaction of its own. */
  store(...messages: NewMessage[]): Promise<void>;
  /** Runs the jobs in turns until nothing is due at the clock's instant. */
  runJobs(): Promise<void>;
};

export type MessageTables = {
  readonly db: Db;
  readonly clock: TestClock;
  /** What the rooms have logged. */
  readonly log: string[];
  /** Opens the room as a server does; several may be open at once. `mail` and `sms` are the URLs of the settings. */
  room(options?: {
    readonly mail?: string;
    readonly sms?: string;
    readonly mode?: 'sandbox' | 'production';
    readonly perHour?: PerHour;
    /** Names of the networks that pay out in Colombian pesos. */
    readonly networks?: readonly string[];
  }): OpenedRoom;
  stored(): Promise<readonly StoredMessage[]>;
  /** Closes the rooms and takes every message away: the next test begins with none. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

const STORED = statement(
  'test.stored_messages',
  `select state, attempts, problem, sealed, due_at as "dueAt", to_jsonb(m)::text as whole from messages m order by message_id`,
);
const DELETE_ALL = statement('test.delete_messages', 'delete from messages');
const DELETE_RECIPIENTS = statement('test.delete_message_recipients', 'delete from message_recipients');
const NO_LIMIT: PerHour = { mail: undefined, sms: undefined };

/** A database of its own with the merchant `shop`, and rooms on it. */
export async function openMessageTables(): Promise<MessageTables> {
  const database = await createTestDatabase();
  const clock = testClock();
  const { log, lines } = captureLog();
  const db = openDb({ url: database.url, log, connections: 4, statementTimeoutMs: null });
  const created = await createMerchant({ db, keys: testKeys(), clock }, { merchantId: 'shop', country: '343' });
  if (isRefusal(created)) throw new Error(created.refusal);
  const key = fixedKey(seededBytes(32));
  const rooms: Messages[] = [];
  const from = { name: 'Pagos, S.A.', address: 'pagos@caudal.test' };
  return {
    db,
    clock,
    log: lines,
    room: ({ mail, sms, mode = 'production', perHour = NO_LIMIT, networks = [] } = {}) => {
      const smtp = mail === undefined ? undefined : parseSmtpUrl(mail);
      const room = openMessages({
        db,
        clock,
        log,
        key,
        mail: smtp && { ...smtp, from },
        sms: sms === undefined ? undefined : parseSmsUrl(sms, mode === 'sandbox'),
        isSandbox: mode === 'sandbox',
        keptDays: 30,
        perHour,
        surroundings: {
          collectedAt: async ({ region }, currency) => (region === 'CO' && currency === 'COP' ? networks : []),
          operatorName: undefined,
        },
      });
      rooms.push(room);
      return {
        ...room,
        store: (...messages) => db.transaction(async (tx) => room.write(tx, messages)),
        runJobs: async () => {
          for (const job of room.jobs) while (await job.step());
        },
      };
    },
    stored: () => db.query<StoredMessage>(STORED, []),
    reset: async () => {
      for (const room of rooms.splice(0)) await room.close();
      await db.query(DELETE_ALL, []);
      await db.query(DELETE_RECIPIENTS, []);
      lines.length = 0;
    },
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
}

/** Opens the outbox as a command of a sandbox without channels does. */
export async function openSilentOutbox({
  db,
  clock,
  log,
  keys,
}: Pick<TestCaudal, 'db' | 'log' | 'keys'> & { readonly clock: Clock }): Promise<Messages> {
  const { byName } = await openServiceKeys({ db, keys, clock }, ['messages']);
  return openMessages({
    db,
    clock,
    log,
    key: byName.messages,
    mail: undefined,
    sms: undefined,
    isSandbox: true,
    keptDays: 30,
    perHour: NO_LIMIT,
    surroundings: { collectedAt: async () => [], operatorName: undefined },
  });
}

const FACTS = {
  merchantId: 'shop',
  merchantName: 'Café Ñandú',
  language: 'es',
  country: findCountry('343') as Country,
  amountMinor: 4_500_000n,
  currency: 'COP',
} as const;

/** The mail to Ana about an order. */
export function orderMail(at: Temporal.Instant, changes: Partial<OrderMail> = {}): OrderMail {
  return {
    ...FACTS,
    kind: 'order_created',
    orderId: 'A-1001',
    to: 'ana@example.com',
    description: 'Plan mensual',
    reference: '813832289025',
    expiresOn: Temporal.PlainDate.from('2026-12-21'),
    checkoutUrl: 'https://pay.example/checkout?token=a.b.c',
    at,
    ...changes,
  };
}

/** The SMS with which Ana collects a cashout. */
export function passwordSms(at: Temporal.Instant, changes: Partial<OneTimePasswordSms> = {}): OneTimePasswordSms {
  return {
    ...FACTS,
    kind: 'one_time_password',
    operationId: 'W-1300',
    to: '3001234567',
    otp: '480213',
    expiresOn: Temporal.PlainDate.from('2026-12-21'),
    endsAt: null,
    at,
    ...changes,
  };
}
