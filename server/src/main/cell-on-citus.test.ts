import { describe, expect, test } from 'vitest';
import { createLog } from '../kit/log.ts';
import { statement } from '../kit/db.ts';
import { cellOfId } from '../kit/per-cell.ts';
import { CITUS_URL, createCitusCell } from '../testing/citus-cell.ts';
import { orderCalls } from '../testing/order-calls.ts';
import { startCaudalForTest } from '../testing/test-caudal.ts';

const IDS = statement(
  'test.order_ids_on_citus',
  'select order_id as "orderId", service_order_id as id, version from orders where merchant_id = $1',
);
type Row = { readonly orderId: string; readonly id: bigint; readonly version: number };

describe.skipIf(CITUS_URL === undefined)('a cell that is a schema on a worker of Citus', { timeout: 120_000 }, () => {
  test('is moved while its merchant works: no request fails, nothing acknowledged is lost, and connections follow', async () => {
    // Two cells of one cluster: what is known of the nodes of one says nothing of the other.
    const [cell, other] = [await createCitusCell(), await createCitusCell()];
    const caudal = await startCaudalForTest({ cells: [cell, other], log: createLog('warn'), config: { databaseConnections: 4 } });
    const { create, update } = orderCalls(caudal, await caudal.merchant({ merchantId: 'moving', cell: 1 }));
    const staying = orderCalls(caudal, await caudal.merchant({ merchantId: 'staying', cell: 2 }));
    const answers = new Map<string, number>();
    const count = (code: string): void => void answers.set(code, (answers.get(code) ?? 0) + 1);
    const acknowledged = new Map<string, number>();
    const over = new AbortController();
    let made = 0;
    const work = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const order = `A-${++made}`;
        const created = await create({ order });
        count(`${created.status} ${created.code}`);
        if (created.code !== '0000') continue;
        acknowledged.set(order, 1);
        const updated = await update({ order, amount: '46000' });
        count(`${updated.status} ${updated.code}`);
        if (updated.code === '0000') acknowledged.set(order, 2);
      }
    };
    const stay = async (): Promise<void> => {
      for (let order = 1; !over.signal.aborted; order++) {
        const { status, code } = await staying.create({ order: `S-${order}` });
        count(`${status} ${code}`);
      }
    };
    const clients = [...Array.from({ length: 8 }, work), stay()];
    const before = await cell.where();
    const moved = cell.move().finally(() => over.abort());
    await Promise.all([moved, ...clients]);
    const after = await cell.where();
    expect(after).not.toBe(before);
    expect([...answers.keys()]).toEqual(['200 0000']);
    const rows = await caudal.cells.of(1).db.query<Row>(IDS, ['moving']);
    expect(new Map(rows.map(({ orderId, version }) => [orderId, version]))).toEqual(acknowledged);
    expect(new Set(rows.map(({ id }) => cellOfId(id)))).toEqual(new Set([1]));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    console.log(JSON.stringify({ answers: Object.fromEntries(answers), before, after }));
  });
});
