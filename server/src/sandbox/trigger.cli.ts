import { randomBytes } from 'node:crypto';
import { Argument, type Command } from 'commander';
import {
  askEither,
  CommandRefused,
  details,
  JSON_OPTION,
  print,
  printJson,
  ServiceRefused,
  type Asks,
  type Cell,
  type Connect,
} from '../kit/command-line.ts';

type Options = {
  readonly merchant: string;
  readonly amount: string;
  readonly currency?: string;
  readonly cellphone: string;
  readonly moveClock?: true;
  readonly json?: true;
};

/** What was made, and the notice that its merchant gets. */
type Made = Readonly<Record<string, string | null>> & { readonly notice: string | null };

/** What the steps of a walk share. */
type Walk = Options & { readonly service: Asks; readonly id: string; readonly currency: string; readonly zone: string };

const ORDER_WALKS = {
  'order.created': async () => ({ notice: null }),
  'order.updated': async ({ service, merchant, id, currency }) => {
    const { updateOrder } = await orders();
    const amount = { amount: '1234', currency };
    await service.call(updateOrder, { path: { merchant, order: id }, ifMatch: '*', body: { amount } });
    return { notice: 'order.updated, where notices of updates are on' };
  },
  'order.cancelled': async ({ service, merchant, id }) => {
    await service.call((await orders()).cancelOrder, { path: { merchant, order: id } });
    return { notice: null };
  },
  'order.expired': async ({ service, merchant, id }) => {
    await service.call((await orders()).expireOrder, { path: { merchant, order: id } });
    return { notice: 'order.cancelled' };
  },
  'order.paid': async (walk, reference) => ({ transaction: await pay(walk, reference), notice: 'order.approved' }),
  'order.reversed': async (walk, reference) => {
    const transaction = await pay(walk, reference);
    await walk.service.call((await counter()).reversePayment, { path: { transaction } });
    return { transaction, notice: 'order.approved, then order.cancelled' };
  },
} as const satisfies Readonly<Record<string, (walk: Walk, reference: string) => Promise<Made>>>;

const CASHOUT_WALKS = {
  'cashout.registered': async () => ({ notice: null }),
  'cashout.cancelled': async ({ service, merchant, id }) => {
    await service.call((await cashouts()).cancelCashout, { path: { merchant, operation: id } });
    return { notice: null };
  },
  'cashout.collected': async (walk) => ({ transaction: await collect(walk), notice: 'cashout.approved' }),
  'cashout.reversed': async (walk) => {
    const transaction = await collect(walk);
    await walk.service.call((await counter()).reverseCollection, { path: { transaction } });
    return { transaction, notice: 'cashout.approved' };
  },
  'cashout.expired': async ({ service }) => {
    await service.call((await counter()).moveClock, { body: { advance: 'P2D' } });
    return { notice: 'cashout.expired, from a running server' };
  },
} as const satisfies Readonly<Record<string, (walk: Walk) => Promise<Made>>>;

type OrderEvent = keyof typeof ORDER_WALKS;
type CashoutEvent = keyof typeof CASHOUT_WALKS;
const EVENTS = [...Object.keys(ORDER_WALKS), ...Object.keys(CASHOUT_WALKS)] as readonly (OrderEvent | CashoutEvent)[];
const isOfOrder = (event: string): event is OrderEvent => event in ORDER_WALKS;

const orders = async () => (await import('../orders/index.ts')).orderWrites;
const cashouts = async () => (await import('../cashouts/index.ts')).cashoutWrites;
const counter = () => import('./sandbox.manage.ts');

/** Adds `caudal trigger`. */
export function triggerCommand(program: Command, connect: Connect): void {
  program
    .command('trigger')
    .description('in a sandbox, make a real order or cashout and walk it to an event, with the notice that follows')
    .addArgument(new Argument('<event>', 'what happens to it').choices(EVENTS))
    .option('--merchant <id>', 'whose it is', 'demo')
    .option('--amount <amount>', 'of it', '45000')
    .option('--currency <code>', 'of it (default: the first of the merchant)')
    .option('--cellphone <number>', 'of the end user of a cashout', '3005550000')
    .option('--move-clock', 'for cashout.expired: the clock of the whole sandbox moves two days ahead')
    .option(...JSON_OPTION)
    .action(async (event: OrderEvent | CashoutEvent, options: Options) => {
      if (event === 'cashout.expired' && !options.moveClock)
        throw new CommandRefused('A cashout expires when its time is over: --move-clock moves the clock of the whole sandbox.', 2);
      const made = await askEither(connect, (service) => walkTo(service, event, options));
      if (options.json) return printJson(made);
      print(details(Object.entries(made).map(([name, value]): [string, Cell] => [name, value ?? 'none follows'])));
    });
}

async function walkTo(service: Asks, event: OrderEvent | CashoutEvent, options: Options): Promise<Made> {
  const { merchant, amount } = options;
  await requireSandbox(service);
  const { readMerchant } = await import('../merchants/index.ts');
  const { currencies, timeZone: zone } = await service.call(readMerchant, { path: { merchant } });
  const currency = options.currency ?? currencies[0] ?? '';
  const id = `T-${randomBytes(8).toString('hex')}`;
  const walk: Walk = { ...options, service, id, currency, zone };
  const shared = { event, merchant };
  if (isOfOrder(event)) {
    const { createOrder } = await orders();
    const body = { merchant, order: id, email: 'payer@example.com', amount: { amount, currency }, description: 'Made by caudal trigger' };
    const { reference, checkoutUrl } = await service.call(createOrder, { body });
    return { ...shared, order: id, reference, checkout: checkoutUrl, ...(await ORDER_WALKS[event](walk, reference)) };
  }
  const { registerCashout } = await cashouts();
  const { now } = await service.call((await counter()).readClock);
  const today = Temporal.Instant.from(now).toZonedDateTimeISO(zone).toPlainDate().toString();
  const body = {
    merchant,
    operation: id,
    amount: { amount, currency },
    document: DOCUMENT,
    sms: true,
    cellphone: options.cellphone,
    ...(event === 'cashout.expired' && { expiresOn: today }),
  };
  await service.call(registerCashout, { body });
  return { ...shared, cashout: id, ...(await CASHOUT_WALKS[event](walk)) };
}

const DOCUMENT = '1020304050';

/** Nothing is simulated with real money. */
async function requireSandbox(service: Asks): Promise<void> {
  const { readClock } = await counter();
  await service.call(readClock).catch((error: unknown) => {
    if (!(error instanceof ServiceRefused) || error.problem !== 'unknown_route') throw error;
    throw new CommandRefused('"trigger" works in a sandbox alone, and this is production: nothing was made.');
  });
}

async function pay({ service }: Walk, reference: string): Promise<string> {
  return (await service.call((await counter()).simulatePayment, { body: { reference } })).transaction;
}

/** The password is in the inbox of the sandbox, where its SMS is kept. */
async function collect({ service, merchant, id }: Walk): Promise<string> {
  const { listInbox } = await import('./inbox.manage.ts');
  const { items } = await service.list(listInbox, 50, { query: { merchant } });
  const oneTimePassword = items.find(({ about, channel }) => about === id && channel === 'sms')?.otp;
  if (oneTimePassword === null || oneTimePassword === undefined) throw new CommandRefused(`The SMS of ${id} is not in the inbox.`);
  const { simulateCollection } = await counter();
  return (await service.call(simulateCollection, { body: { document: DOCUMENT, oneTimePassword } })).transaction;
}
