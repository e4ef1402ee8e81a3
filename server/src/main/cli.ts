import { CommanderError } from 'commander';
import { CommandRefused } from '../kit/command-line.ts';
import { createProgram } from './program.ts';

const USAGE_EXIT_CODE = 2;

/** Who reads what a command prints may stop, such as `head`. That is no fault to be shown. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(1);
}

async function main(): Promise<void> {
  process.stdout.on('error', endWithReader);
  const program = createProgram();
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has printed what was wrong, or the help.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    else {
      const { explainFault } = await import('./explain-fault.ts');
      process.stderr.write(`${explainFault(error) ?? `Caudal failed: ${(error as Error).stack}`}\n`);
      process.exitCode = error instanceof CommandRefused ? error.exitCode : 1;
    }
  }
}

await main();
