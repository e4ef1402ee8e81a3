// What sdk/try-package.ts runs in an empty project, with the package as npm packed it.
import { Caudal, CaudalError, toMoney, webhooks } from '@caudal/sdk';

const [url, merchant, fixedHash, order] = process.argv.slice(2);
const caudal = new Caudal({ url, merchant, fixedHash });
const check = (isRight, what) => {
  if (!isRight) throw new Error(`not so: ${what}`);
};

const terms = { order, email: 'ana@example.com', country: '343' };
const created = await caudal.orders.create({ ...terms, amount: { minor: 1_180n, currency: 'COP' } });
const updated = await caudal.orders.update({ ...terms, amount: '12.50', money: 'COP' }, { version: created.version });
check(toMoney(updated.amount, 'COP').minor === 1_250n && updated.version === 2, 'an order is created and updated');
const versions = [];
for await (const { version } of caudal.orders.history(order)) versions.push(version);
check(versions.join() === '1,2', 'its history is walked');
const refused = await caudal.orders.cancel(order, { version: 1 }).catch((error) => error);
check(refused instanceof CaudalError && refused.is('version_mismatch'), 'a refusal is thrown');
check((await caudal.balance()).length > 0, 'the balance is read');
const { next } = await caudal.cashouts.list().page();
check(next === undefined, 'cashouts are listed');

const notice = { type: 'order', order, status: 'approved', amount: '12.5', money: 'COP', id: created.id, payment: '' };
const { body, headers } = await webhooks.sign(notice, 'c0ffee');
const verified = await webhooks.verify(body, new Headers(headers), ['older', 'c0ffee']);
check(verified.notice.order === order && verified.notice.amount === '12.5', 'a notice is verified');
const forged = await webhooks.verify(body, headers, 'other').catch((error) => error);
check(forged instanceof webhooks.NoticeError, 'a forged notice is refused');
