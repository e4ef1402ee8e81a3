import { LEAST_BITS, mostBits } from '../kit/checks/weak-secrets.ts';
import { CommandRefused } from '../kit/command-line.ts';
import { readPrivateFile } from '../kit/files/private-file.ts';

const SECRET = /^[!-~]{8,200}$/;

/** Reads a secret of another service under the name that a command gives it. Nothing where no file is named. */
export const readSecretAs = <Name extends string>(name: Name, path: string | undefined): { readonly [key in Name]?: string } =>
  path === undefined ? {} : ({ [name]: readSecretFile(path) } as { readonly [key in Name]: string });

/**
 * Reads a secret from a file. It is never an argument: other users of the machine see those.
 * Throws: CommandRefused for a file that others may read, or that holds no secret.
 * Effects: a warning on standard error where the secret holds less than 128 bits.
 */
function readSecretFile(path: string): string {
  const text = readPrivateFile(path);
  const secret = text.replace(/\r?\n$/, '');
  if (!SECRET.test(secret))
    throw new CommandRefused(`${path} holds no secret: 8 to 200 printable ASCII characters on one line, no spaces.`, 2);
  const bits = Math.floor(mostBits(secret));
  if (bits < LEAST_BITS)
    process.stderr.write(
      `Warning: the secret of ${path} holds at most ${bits} bits; ${LEAST_BITS} are safe. Rotate it once its clients can.\n`,
    );
  return secret;
}
