import { runWords } from './program.ts';

/** Who reads what a command prints may stop, such as `head`. That is no fault to be shown. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
}

process.stdout.on('error', endWithReader);
await runWords(process.argv.slice(2));
