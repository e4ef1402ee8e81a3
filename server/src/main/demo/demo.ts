import type { Clock } from '../../kit/clock.ts';
import { Unavailable } from '../../kit/db.ts';
import type { MasterKeys } from '../../kit/secrets.ts';
import { untilKnown } from '../../merchants/index.ts';
import { signingSecretOf } from '../../networks/index.ts';
import { sandboxNetwork } from '../../sandbox/index.ts';
import { LAST_ORDER, playMonth } from './demo-month.ts';
import {
  DEMO_MERCHANT,
  DEMO_ORDERS,
  isDone,
  ORDER_TO_CHANGE,
  ORDER_TO_PAY,
  orderBody,
  orderPath,
  readOpenOrder,
  type OpenOrder,
} from './demo.wire.ts';
import { demoCommands } from './demo-home.ts';
import { HOME_WORDS } from './home-words.ts';
import type { Caudal } from '../rooms.ts';

type FillOptions = {
  readonly service: Caudal;
  /** Opens the service on the same database with another clock. */
  readonly openAsOf: (clock: Clock) => Promise<Caudal>;
  readonly keys: MasterKeys;
};

/**
 * Gives a sandbox its demo merchant, with four weeks of orders and cashouts. A sandbox that has them stays as it is.
 * Effects: as of playMonth. It sends the requests that every client sends.
 */
export async function fillDemo({ service: { app, merchants, clock }, openAsOf, keys }: FillOptions): Promise<void> {
  const fixedHash = (await merchants.find(DEMO_MERCHANT))?.fixedHashes[0]?.secret;
  const last = fixedHash && (await send(app, 'GET', orderPath(fixedHash, LAST_ORDER)));
  if (last === undefined || !isDone(last)) await playMonth(openAsOf, keys, clock.now());
}

/** Sends what a client sends. Throws: Unavailable, as what works on the database itself. */
async function send(app: Caudal['app'], method: 'GET' | 'POST', url: string, payload?: string): Promise<string> {
  const { statusCode, body } = await app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
  if (statusCode === 503) throw new Unavailable('the demo merchant cannot be served now');
  return body;
}

type DemoOptions = {
  readonly service: Caudal;
  readonly keys: MasterKeys;
  /** Where the printed commands find this server. */
  readonly origin: string;
};

/**
 * Shows the demo merchant of a sandbox.
 * Shape: the text to print: the secrets, and shell commands with correct checksums.
 * Effects: creates the orders of its commands where none is open.
 */
export async function showDemo({ service, keys, origin }: DemoOptions): Promise<string> {
  const { app, db, merchants, networks, users, clock } = service;
  // Another server on this database may have just created it.
  const { fixedHashes } = await untilKnown(merchants, DEMO_MERCHANT);
  const fixedHash = fixedHashes[0]?.secret;
  if (fixedHash === undefined) throw new Error('the demo merchant has no fixed hash');

  const { netname, secrets } = await sandboxNetwork({ db, keys, clock, networks });
  // Refused if it exists.
  for (const order of DEMO_ORDERS) await send(app, 'POST', '/api/v3/porders', orderBody(fixedHash, order));

  const now = clock.now();
  const stamp = now.epochMilliseconds.toString(36).toUpperCase();
  /** The order with that id if it is still open, else a new one like it. */
  const openOrder = async (order: (typeof DEMO_ORDERS)[number]): Promise<OpenOrder> => {
    const found = readOpenOrder(await send(app, 'GET', orderPath(fixedHash, order.order)));
    if (found !== undefined) return found;
    const id = `${order.order}-${stamp}`;
    await send(app, 'POST', '/api/v3/porders', orderBody(fixedHash, { ...order, order: id }));
    return readOpenOrder(await send(app, 'GET', orderPath(fixedHash, id))) as OpenOrder;
  };
  const [changing, paying] = [await openOrder(ORDER_TO_CHANGE), await openOrder(ORDER_TO_PAY)];
  const ownerLink = await users.ownerLink();
  const commands = demoCommands({ origin, fixedHash, now, changing, paying });
  return `
Merchant ${DEMO_MERCHANT}, fixed hash ${fixedHash}
Network ${netname}, secret ${secrets[0]?.secret}, signing secret ${signingSecretOf(secrets[0]?.secret ?? '')}

${commands.map(([does, command]) => `${HOME_WORDS.en.acts[does]}:\n  ${command}\n`).join('\n')}
${ownerLink === undefined ? `The console: ${origin}/console` : `The console, signed in as the owner, once: ${ownerLink}`}
The home of this sandbox: ${origin}/
Mail, SMS and notices sent: ${origin}/sandbox/inbox
The interface in full: ${origin}/docs
`;
}
