import { manageCalls } from '../../server/src/testing/manage-calls.ts';
import type { ServedConsole } from './served-console.ts';

/** Asks the management API for the items of a list. */
type Ask = (path: string) => Promise<readonly Readonly<Record<string, string>>[]>;

/** Parts of paths that mean the same on every page. The console of tests has what they name. */
const PARTS: Readonly<Record<string, string>> = {
  merchant: 'panaderia',
  order: 'A-1001',
  operation: 'W-1',
  day: '2026-11-21',
  payment: '1',
  layout: 'mi-banco',
};

/** How an address for each other page with parts in its path is found. What it shows is of the shop, so that every role may see it. */
const EXAMPLES: Readonly<Record<string, (ask: Ask) => Promise<string>>> = {
  '/audit/$act': async (ask) => `/audit/${(await ask('/audit?limit=1'))[0]?.['id']}`,
  '/networks/$netname': async (ask) => `/networks/${(await ask('/networks'))[0]?.['netname']}`,
  '/notices/$notice': async (ask) => `/notices/${(await ask('/notices?merchant=panaderia'))[0]?.['id']}`,
  '/orders/$merchant/$order/edit': async () => '/orders/panaderia/A-1002/edit',
  '/sandbox/inbox/$channel/$id': async (ask) => {
    const [entry] = await ask('/sandbox/inbox?limit=1');
    return `/sandbox/inbox/${entry?.['channel']}/${entry?.['id']}`;
  },
  '/settlements/$merchant/$settlement': async (ask) =>
    `/settlements/panaderia/${(await ask('/settlements?merchant=panaderia'))[0]?.['settlement']}`,
  '/users/$user': async (ask) => `/users/${(await ask('/users?merchant=panaderia'))[0]?.['id']}`,
};

/** A settlement of what the shop has collected, with all that its terms may have. */
async function fillSettlements({ service }: Pick<ServedConsole, 'service'>): Promise<void> {
  const { send } = await manageCalls(service);
  await send('PUT', '/calendars/colombia', {});
  const account = {
    bankCode: '1007',
    bankName: 'Banco',
    type: 'savings',
    number: '04512345678',
    holderName: 'Ana',
    holderDocumentType: 'NIT',
    holderDocument: '900123456',
  };
  const schedule = { period: 'weekly', weekday: 'friday', calendar: 'colombia', account, reservePercent: '5', reserveDays: 30 };
  await send('PATCH', '/settlement-schedules/panaderia/COP', schedule);
  await send('PUT', '/bank-file-layouts/mi-banco', { format: 'pain.001.001.09', timeZone: 'America/Bogota', payer: account });
  const rule = { name: 'rete-fuente', kind: 'withholding', base: 'payments', percent: '1.5', currency: 'COP', since: '2026-01-01' };
  await send('POST', '/settlement-rules', rule);
  await send('POST', '/holds/panaderia', { amount: { amount: '1000', currency: 'COP' }, reason: 'A page shows it' });
  service.clock.advance({ seconds: 1 });
  await send('POST', '/settlements/panaderia/run', { currency: 'COP', until: PARTS['day'] });
}

/** The addresses of all pages. Throws: for a page with parts in its path that has no example. */
export async function addressesOf(patterns: readonly string[], { service, signIn }: ServedConsole): Promise<readonly string[]> {
  // A user of the shop, and an act, are there before somebody looks.
  await (await signIn('viewer', '/console/account')).context().close();
  const { get, send } = await manageCalls(service);
  await send('POST', '/orders/panaderia/A-1003/cancel', undefined, { 'if-match': '*' });
  // A cashout, and a notice of a payment, of which a part goes back.
  const amount = { amount: '45000', currency: 'COP' };
  const cashout = { merchant: 'panaderia', operation: 'W-1', amount, document: '1020304050', sms: true, cellphone: '3001234567' };
  await send('POST', '/cashouts', cashout);
  await send('POST', '/sandbox/payments', { reference: (await get('/orders/panaderia/A-1001')).body['reference'] });
  const refund = { amount: { amount: '12000', currency: 'COP' }, refundedBy: 'operator', reason: 'A page shows it' };
  await send('POST', '/orders/panaderia/A-1001/refunds', refund);
  await fillSettlements({ service });
  const ask: Ask = async (path) => (await get(path)).body['items'] as never;
  return Promise.all(
    patterns.map(async (pattern) => {
      const address = pattern.replaceAll(/\$(\w+)/g, (part, name: string) => PARTS[name] ?? part);
      const find = EXAMPLES[pattern];
      if (!address.includes('$') && find === undefined) return address;
      if (find === undefined) throw new Error(`${pattern} has no example in example-pages.ts`);
      const found = await find(ask);
      if (found.includes('undefined')) throw new Error(`there is nothing to show at ${pattern}`);
      return found;
    }),
  );
}
