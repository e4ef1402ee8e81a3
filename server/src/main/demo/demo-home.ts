import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { HttpServer } from '../../kit/http.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { readNoticeSigners, type MerchantDirectory } from '../../merchants/index.ts';
import { signingSecretOf } from '../../networks/index.ts';
import {
  DEMO_MERCHANT,
  DEMO_TIME_ZONE,
  listPath,
  ORDER_TO_CHANGE,
  ORDER_TO_PAY,
  orderBody,
  orderPath,
  readOpenOrder,
  type OpenOrder,
} from './demo.wire.ts';
import type { DemoHome } from './home.page.ts';
import { LIST_DAYS, type DemoAct } from './home-words.ts';

type CommandParts = {
  readonly origin: string;
  readonly fixedHash: string;
  readonly now: Temporal.Instant;
  /** Open orders. Undefined: it has ended, and its command is left out. */
  readonly changing: OpenOrder | undefined;
  readonly paying: OpenOrder | undefined;
};

/** Writes shell commands with correct checksums. Shape: what each does, and the command. */
export function demoCommands({
  origin,
  fixedHash,
  now,
  changing,
  paying,
}: CommandParts): readonly (readonly [does: DemoAct, command: string])[] {
  const today = now.toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate();
  const json = `-H 'Content-Type: application/json' -d`;
  const order = { order: `B-${now.epochMilliseconds.toString(36).toUpperCase()}`, amount: '32000', description: 'A new order' };
  const change = changing && { order: changing.order, amount: '52000.00', description: 'Monthly plan, larger' };
  return [
    ['create', `curl -X POST ${origin}/api/v3/porders ${json} '${orderBody(fixedHash, order)}'`],
    ...(change === undefined
      ? []
      : [['change', `curl -X PATCH ${origin}/api/v3/porders ${json} '${orderBody(fixedHash, change)}'`] as const]),
    ...(paying === undefined
      ? []
      : [['pay', `curl -X POST ${origin}/sandbox/v1/payments ${json} '{"reference":"${paying.reference}"}'`] as const]),
    ['list', `curl '${origin}${listPath(fixedHash, today.subtract({ days: LIST_DAYS - 1 }), today)}'`],
  ];
}

type HomeDeps = {
  readonly app: HttpServer;
  readonly db: Db;
  readonly merchants: MerchantDirectory;
  readonly clock: Clock;
  readonly keys: MasterKeys;
  /** Where the commands find this server. */
  readonly origin: string;
};

/** Reads what the home of a sandbox shows of the demo merchant. Undefined: there is none yet. */
export async function readDemoHome({ app, db, merchants, clock, keys, origin }: HomeDeps): Promise<DemoHome | undefined> {
  const now = clock.now();
  const fixedHash = (await merchants.find(DEMO_MERCHANT))?.fixedHashes[0]?.secret;
  const signer = (await readNoticeSigners(db, keys, [DEMO_MERCHANT], now)).get(DEMO_MERCHANT);
  if (fixedHash === undefined || signer === undefined || signer instanceof Error) return undefined;
  const read = async (order: string): Promise<OpenOrder | undefined> =>
    readOpenOrder((await app.inject({ method: 'GET', url: orderPath(fixedHash, order) })).body);
  const [changing, paying] = [await read(ORDER_TO_CHANGE.order), await read(ORDER_TO_PAY.order)];
  const noticeHash = signer.noticeHashes.ofChecksum;
  return {
    merchantId: DEMO_MERCHANT,
    secrets: [
      ['fixedHash', fixedHash],
      ['noticeHash', noticeHash],
      ['forLibraries', signingSecretOf(noticeHash)],
    ],
    commands: demoCommands({ origin, fixedHash, now, changing, paying }),
    checkout: changing?.checkout,
  };
}
