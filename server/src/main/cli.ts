import { runWords } from './program.ts';

/** The reader of what a command prints may stop, as `head` does. That is not a fault. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
}

process.stdout.on('error', endWithReader);
await runWords(process.argv.slice(2));
