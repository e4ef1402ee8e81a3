import type { Language } from '../kit/language.ts';
import type { Operation, Values } from './operation.ts';

const WORDS: Readonly<Record<Language, readonly [text: string, secret: string]>> = {
  es: ['Solo en el sandbox: el texto es', 'y después el fixed hash'],
  en: ['In a sandbox alone: the text is', 'and then the fixed hash'],
  pt: ['Apenas no sandbox: o texto é', 'e depois o fixed hash'],
};
/** Longer texts are cut. */
const MOST_CHARACTERS = 300;

/** Shows the text that a merchant's checksum covers, from the values that it sent. The secret is a word. */
export function hashedText({ proof }: Pick<Operation<never>, 'proof'>, values: Values, language: Language): string {
  const text = proof.map((name) => (values[name] as string | undefined) ?? '').join('');
  const [opening, closing] = WORDS[language];
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return `${opening} «${shown}» ${closing}`;
}
