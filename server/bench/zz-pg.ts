import { openPostgres } from '/work/wt/search/server/bench/postgres.ts';
const pg = await openPostgres('/tmp/search-bench');
console.log(pg.url);
process.on('SIGTERM', () => void pg.stop().then(() => process.exit(0)));
setInterval(() => {}, 1e6);
