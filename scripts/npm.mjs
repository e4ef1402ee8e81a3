import { existsSync } from 'node:fs';

/**
 * The npm that started us, else the machine's own.
 * Shape: → a program, its first arguments, and whether it needs a shell.
 */
export function findNpm() {
  const npm = process.env.npm_execpath;
  return npm !== undefined && /npm-cli\.c?js$/.test(npm) && existsSync(npm)
    ? { program: process.execPath, first: [npm], shell: false }
    : { program: 'npm', first: [], shell: process.platform === 'win32' };
}
