import { Readable } from 'node:stream';
import { openActing } from '../../audit/index.ts';
import { importCashouts } from '../../cashouts/index.ts';
import type { Act } from '../../kit/changes/act.ts';
import { isRefusal } from '../../kit/outcome.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { topUp } from '../../ledger/index.ts';
import { createMerchant, untilKnown } from '../../merchants/index.ts';
import { signingSecretOf } from '../../networks/index.ts';
import { sandboxNetwork } from '../../sandbox/index.ts';
import {
  cashoutPath,
  DEMO_MERCHANT,
  DEMO_ORDERS,
  demoCashouts,
  isFound,
  ORDER_TO_CHANGE,
  ORDER_TO_PAY,
  orderBody,
  orderPath,
  readOpenOrder,
  type OpenOrder,
} from './demo.wire.ts';
import { demoCommands } from './demo-home.ts';
import type { Caudal } from '../rooms.ts';

type DemoOptions = {
  readonly service: Caudal;
  readonly url: string;
  readonly keys: MasterKeys;
  /** Where the printed commands find this server. */
  readonly origin: string;
};

/** The fund for cashouts: 50 million pesos, enough for some hundred. Because of the reference a later start adds nothing. */
const FUND = { merchantId: DEMO_MERCHANT, currency: 'COP', amountMinor: 50_000_000_00n, reference: 'demo' } as const;

const FUNDING: Act = {
  actor: { kind: 'service', id: 'demo', name: 'demo' },
  source: 'localhost',
  requestId: null,
  operation: 'ledger top-up',
  merchantId: DEMO_MERCHANT,
  target: `merchant ${DEMO_MERCHANT}`,
};

/**
 * Prepares the demo merchant of a sandbox.
 * Shape: the text to print: the secrets, and shell commands with correct checksums.
 * Effects: creates the merchant, its fund, a network, orders and cashouts where they are missing. It sends the requests
 * that every client sends. What exists stays as it is.
 */
export async function prepareDemo({ service, url, keys, origin }: DemoOptions): Promise<string> {
  const { app, db, merchants, networks, users, clock } = service;
  await createMerchant({ db, keys, clock }, { merchantId: DEMO_MERCHANT, country: '343', name: 'Demo shop' });
  // Read again: it may exist from an earlier start, or another server on this database may have just created it.
  const { country, currencies, fixedHashes } = await untilKnown(merchants, DEMO_MERCHANT);
  const fixedHash = fixedHashes[0]?.secret;
  if (fixedHash === undefined) throw new Error('the demo merchant has no fixed hash');

  const send = async (method: 'GET' | 'POST', path: string, body?: string): Promise<string> =>
    (await app.inject({ method, url: path, ...(body === undefined ? {} : { payload: body }) })).body;
  const funded = await topUp({ db: openActing(db, clock)(FUNDING), clock }, FUND);
  if (isRefusal(funded)) throw new Error(`the demo merchant was not funded: ${funded.refusal}`);
  const { netname, secrets } = await sandboxNetwork({ db, keys, clock, networks });
  // Refused if it exists.
  for (const order of DEMO_ORDERS) await send('POST', '/api/v3/porders', orderBody(fixedHash, order));
  if (!isFound(await send('GET', cashoutPath(fixedHash)))) {
    // All of them or none. None if another server, which starts at the same time, is faster.
    await importCashouts({
      url,
      merchant: { merchantId: DEMO_MERCHANT, timeZone: country.timeZone, region: country.region, currencies },
      now: clock.now(),
      source: Readable.from(Array.from(demoCashouts(clock.now()), (line) => Buffer.from(line))),
      rejects: undefined,
      onProgress: () => undefined,
    });
  }

  const now = clock.now();
  const stamp = now.epochMilliseconds.toString(36).toUpperCase();
  /** The order with that id if it is still open, else a new one like it. */
  const openOrder = async (order: (typeof DEMO_ORDERS)[number]): Promise<OpenOrder> => {
    const found = readOpenOrder(await send('GET', orderPath(fixedHash, order.order)));
    if (found !== undefined) return found;
    const id = `${order.order}-${stamp}`;
    await send('POST', '/api/v3/porders', orderBody(fixedHash, { ...order, order: id }));
    return readOpenOrder(await send('GET', orderPath(fixedHash, id))) as OpenOrder;
  };
  const [changing, paying] = [await openOrder(ORDER_TO_CHANGE), await openOrder(ORDER_TO_PAY)];
  const ownerLink = await users.ownerLink();
  const commands = demoCommands({ origin, fixedHash, now, changing, paying });
  return `
Merchant ${DEMO_MERCHANT}, fixed hash ${fixedHash}
Network ${netname}, secret ${secrets[0]?.secret}, signing secret ${signingSecretOf(secrets[0]?.secret ?? '')}

${commands.map(([does, command]) => `${does}:\n  ${command}\n`).join('\n')}
${ownerLink === undefined ? `The console: ${origin}/console` : `The console, signed in as the owner, once: ${ownerLink}`}
The home of this sandbox: ${origin}/
Mail, SMS and notices sent: ${origin}/sandbox/inbox
The interface in full: ${origin}/docs
`;
}
