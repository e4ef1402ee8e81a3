import { setTimeout as delay } from 'node:timers/promises';
import { CommandRefused } from '../../kit/command-line.ts';
import { explainCertificate } from '../../kit/checks/explain-certificate.ts';
import { oneLine } from '../../kit/one-line.ts';
import { DEMO_MERCHANT, orderBody, orderPath, readOpenOrder } from './demo.wire.ts';

export type TryOptions = {
  readonly server: string;
  readonly fixedHash: string;
  readonly order: string;
  readonly say: (text: string) => void;
  /** Asks for the key Enter, until the signal ends it. Undefined: nobody is at a terminal, and nothing is waited for. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<void>) | undefined;
};

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
const MOST_LOOKS_FOR_NOTICE = 5;

async function send(server: string, path: string, body?: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const posted = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    return await (await fetch(`${server}${path}`, { ...posted, redirect: 'manual', signal })).text();
  } catch (error) {
    const certificate = explainCertificate(error, { whose: server, nameIt: 'name the server by --server as its certificate does' });
    throw new CommandRefused(
      certificate ?? `No server answers at ${server}. Start one in another terminal, "npm start", or name it by --server.`,
    );
  }
}

/** Refuses to go on where no server of Caudal answers. */
export async function requireServer(server: string): Promise<void> {
  if (!URL.canParse(server)) throw new CommandRefused('--server takes an address, such as http://127.0.0.1:3000.', 2);
  if ((await send(server, '/healthz')) !== '{"status":"alive"}') throw new CommandRefused(`${server} does not answer as Caudal does.`);
}

/** Walks through the first order of a newcomer: each step with the request that does it. */
export async function walk({ server, fixedHash, order, say, ask }: TryOptions): Promise<void> {
  const body = orderBody(fixedHash, { order, amount: '45000', description: 'My first order' });
  say(`1. Create an order\n\ncurl -X POST ${server}/api/v3/porders -H 'Content-Type: application/json' \\\n  -d '${body}'\n\n`);
  say('The checksum is SHA-512 over email, country, order, money, amount and the fixed hash of the merchant.\n\n');
  const created = await send(server, '/api/v3/porders', body);
  say(`${oneLine(created)}\n\n`);
  const look = async (): Promise<ReturnType<typeof readOpenOrder>> => readAnswer(await send(server, orderPath(fixedHash, order)));
  const open = await look();
  if (open === undefined) throw new CommandRefused(`The order was not created: ${oneLine(created).slice(0, 300)}`);

  say(`2. Open its page, as the payer does\n\n${oneLine(open.checkout)}\n\n3. Pay it\n\n`);
  if (ask === undefined || (await isPaidHere(ask, look))) {
    const payment = JSON.stringify({ reference: open.reference });
    say(
      `curl -X POST ${server}/sandbox/v1/payments -d '${payment}'\n\n${oneLine(await send(server, '/sandbox/v1/payments', payment))}\n\n`,
    );
  }
  if ((await look()) !== undefined) throw new CommandRefused('The order was not paid.');

  say('4. The notice that your server gets\n\n');
  say(`${await noticeOf(server, order)}\n\n`);
  say(
    'Next: receive notices on your machine by "caudal listen --forward-to http://127.0.0.1:8080/notices",\n' +
      `make more of them by "caudal trigger order.paid", and read ${server}/docs.\n`,
  );
}

function readAnswer(text: string): ReturnType<typeof readOpenOrder> {
  try {
    return readOpenOrder(text);
  } catch {
    return undefined;
  }
}

/** Waits until Enter is pressed, or the order is paid on its page. Shape: → whether it is to be paid here. */
async function isPaidHere(ask: NonNullable<TryOptions['ask']>, look: () => Promise<object | undefined>): Promise<boolean> {
  const ending = new AbortController();
  const { signal } = ending;
  const onPage = async (): Promise<false> => {
    while (!signal.aborted && (await look()) !== undefined) await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    return false;
  };
  const pressed = ask('Pay on that page, or press Enter to pay here, as if in cash: ', signal).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([pressed, onPage()]);
  } finally {
    ending.abort();
  }
}

type Entry = { readonly headers: Readonly<Record<string, string>> | null; readonly text: string | null };

/** Reads the notice of the order in the inbox. It is written with the payment. */
async function noticeOf(server: string, order: string): Promise<string> {
  const query = new URLSearchParams({ merchant: DEMO_MERCHANT, about: order, channel: 'notice' });
  for (let looks = 1; looks <= MOST_LOOKS_FOR_NOTICE; looks++) {
    const { data } = JSON.parse(await send(server, `/sandbox/v1/inbox?${query.toString()}`)) as { data?: { messages?: readonly Entry[] } };
    const [notice] = data?.messages ?? [];
    if (notice !== undefined) {
      const lines = Object.entries(notice.headers ?? {}).map(([name, value]) => oneLine(`${name}: ${value}`));
      return [...lines, '', oneLine(notice.text ?? '')].join('\n');
    }
    await delay(LOOK_EVERY_MS);
  }
  return `It is not in ${server}/sandbox/inbox yet.`;
}
