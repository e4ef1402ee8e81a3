// Does what replay.lua does, where wrk is missing: node replay-autocannon.ts URL FILE SECONDS CONNECTIONS.
// autocannon cuts its connections at the end. Requests in flight then are not in its figures, but may have been written.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const [url, file, seconds, connections] = process.argv.slice(2) as [string, string, string, string];
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [method, path, id, body] = line.split('\t') as [autocannon.Request['method'], string, string, string];
    const headers: Record<string, string> = {};
    if (id !== '') headers['x-request-id'] = id;
    if (body !== '') headers['content-type'] = 'application/json';
    return { method, path, headers, body };
  });

let taken = 0;
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  timeout: 10,
  requests: [{ setupRequest: (request) => ({ ...request, ...requests[taken++ % requests.length] }) }],
});
process.stdout.write(
  `${JSON.stringify({
    answered: result['2xx'] + result.non2xx,
    failed: result.errors + result.non2xx,
    isRepeated: taken > requests.length,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  })}\n`,
);
