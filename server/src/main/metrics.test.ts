import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';

async function listening(metrics: Metrics): Promise<string> {
  const server = await metrics.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('serves what was observed, and what Node knows of itself, in the text form of Prometheus', async () => {
  const metrics = createMetrics();
  metrics.observe('/api/v3/porders', 'PATCH', 200, 0.004);
  metrics.observe('/api/v3/porders', 'PATCH', 200, 0.004);
  metrics.refused('wrong_checksum');
  metrics.overLimit('sms');
  const answer = await fetch(`${await listening(metrics)}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  const text = await answer.text();
  expect(text).toContain('caudal_http_request_duration_seconds_count{route="/api/v3/porders",method="PATCH",status="200"} 2');
  expect(text).toContain('caudal_http_request_duration_seconds_bucket{le="0.005",route="/api/v3/porders",method="PATCH",status="200"} 2');
  expect(text).toMatch(/^caudal_refused_total\{reason="wrong_checksum"\} 1$[^]*^caudal_refused_total\{reason="overload"\} 0$/m);
  expect(text).toMatch(/^caudal_messages_over_limit_total\{channel="mail"\} 0$\n^caudal_messages_over_limit_total\{channel="sms"\} 1$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

test('reads what is watched at each scrape, once, and shows what cannot be read as no number', async () => {
  const metrics = createMetrics();
  const readings = [{ waiting: 3, paused: 1 }, undefined];
  const read = async (): Promise<Readonly<Record<string, number>>> => {
    const reading = readings.shift();
    if (reading === undefined) throw new Error('the database is away');
    return reading;
  };
  metrics.watch({ waiting: 'Notices that wait.', paused: 'Endpoints that are paused.' }, [['home', read]]);
  const url = `${await listening(metrics)}/metrics`;
  expect(await (await fetch(url)).text()).toMatch(/^waiting 3$[^]*^paused 1$/m);
  expect(await (await fetch(url)).text()).toMatch(/^waiting Nan$[^]*^paused Nan$/m);
});

const load = (used: number) => () => ({ requests: { waiting: 0, written: 0 }, connections: { used, idle: 1, awaited: 0 } });

test('names the cell of each number where there are several databases, and one that is away hides no other', async () => {
  const metrics = createMetrics();
  metrics.watch({ waiting: 'Notices that wait.' }, [
    ['home', async () => ({ waiting: 3 })],
    ['north', () => Promise.reject(new Error('away'))],
  ]);
  metrics.watchProcess([
    ['home', load(4)],
    ['north', load(5)],
  ]);
  const text = await (await fetch(`${await listening(metrics)}/metrics`)).text();
  expect(text).toMatch(/^waiting\{cell="home"\} 3\nwaiting\{cell="north"\} Nan$/m);
  expect(text).toMatch(/^caudal_database_connections_used\{cell="home"\} 4\ncaudal_database_connections_used\{cell="north"\} 5$/m);
});

test('serves nothing else', async () => {
  const origin = await listening(createMetrics());
  expect((await fetch(origin)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('fails where the address is taken', async () => {
  const port = Number(new URL(await listening(createMetrics())).port);
  await expect(createMetrics().listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
