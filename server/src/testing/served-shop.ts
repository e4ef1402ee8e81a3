import { expect } from 'vitest';
import { runProgram, type Ran } from './captured.ts';
import { checksumOf } from './checksum-of.ts';
import { runCaudalHere } from './child-server.ts';
import { withinSeconds } from './deadlines.ts';

/** A merchant of a server that runs as a process of its own. */
export type ServedShop = { readonly merchant: string; readonly fixedHash: string };

/** Creates a merchant by the command line. */
export async function createShop(environment: Readonly<Record<string, string>>, id: string): Promise<ServedShop> {
  const { stdout, stderr } = await runCaudalHere(environment, 'merchants', 'create', '--id', id, '--country', '343', '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as ServedShop;
}

/** The checksum of a request of the shop. */
export const sign = ({ fixedHash }: ServedShop, ...values: readonly string[]): string => checksumOf(values, fixedHash);

/** The body that creates or updates the shop's only order. */
export function orderBody(shop: ServedShop, amount: string): string {
  const values = { email: 'ana@example.com', country: '343', order: 'A-1', money: 'COP', amount };
  return JSON.stringify({ merchant: shop.merchant, ...values, checksum: sign(shop, ...Object.values(values)) });
}

/** Creates or updates the shop's only order. */
export async function sendOrder(
  origin: string,
  method: 'POST' | 'PATCH',
  shop: ServedShop,
  amount: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}/api/v3/porders`, { method, body: orderBody(shop, amount) });
  return (await answer.json()) as Record<string, unknown>;
}

/** Creates the first order of a new merchant. A running server knows the merchant within a second of its creation. */
export const makeOrder = (origin: string, shop: ServedShop, amount: string): Promise<Record<string, unknown>> =>
  withinSeconds(1, async () => {
    const answer = await sendOrder(origin, 'POST', shop, amount);
    expect(answer).toMatchObject({ CODE: '0000' });
    return answer;
  });

/** Reads the amount of the shop's only order. */
export async function readAmount(origin: string, shop: ServedShop): Promise<string | undefined> {
  const query = `merchant=${shop.merchant}&checksum=${sign(shop, 'A-1', shop.merchant)}`;
  const answer = (await (await fetch(`${origin}/api/v3/porders/A-1?${query}`)).json()) as { DATA: { AMOUNT?: string } };
  return answer.DATA.AMOUNT;
}

/** The commands that a sandbox prints at its start. */
export const printedCommands = (stdout: string): readonly string[] => stdout.match(/^ *curl .*$/gm) ?? [];

/** Runs a printed command as a user does. */
export const runPrinted = (command: string): Promise<Ran> =>
  runProgram('sh', ['-c', command.replace('curl ', 'curl -sS ')], { PATH: process.env['PATH'] });
