/** Weaker secrets can be guessed by who has seen one request that they prove. */
export const LEAST_BITS = 128;

const FEWEST_DIFFERENT = 6;

/** What is guessed first, without the digits and marks behind it. */
const GUESSED_FIRST = new Set(
  (
    'admin administrator caudal caudal_owner caudal_service change_me change-me changeit changeme default demo example hunter iloveyou ' +
    'letmein login master p@ssw0rd p@ssword pass passw0rd password postgres postgresql qwerty qwertyuiop root secret service sesame test ' +
    'user welcome'
  ).split(' '),
);

/** True where it is the name of its owner, or one that is tried before all others. */
export function isGuessedFirst(secret: string, owner: string | undefined): boolean {
  const text = secret.toLowerCase();
  const stem = text.replace(/[\d\W_]{0,6}$/, '');
  const name = owner?.toLowerCase();
  return stem === name || text === name || GUESSED_FIRST.has(stem);
}

/** True for a few characters, again and again. By chance that never happens. */
export const hasFewCharacters = (secret: Iterable<string | number>): boolean => new Set(secret).size < FEWEST_DIFFERENT;
export const FEW_CHARACTERS = `fewer than ${FEWEST_DIFFERENT} different characters`;

/** What a secret of these characters can hold at most. */
export function mostBits(secret: string): number {
  const alphabet = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(secret) ? 16 : /^[0-9A-Za-z]+$/.test(secret) ? 62 : 94;
  return secret.length * Math.log2(alphabet);
}
