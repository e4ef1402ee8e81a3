/** A word that is not used in prose, and what to write instead. */
export type BannedWord = { readonly word: RegExp; readonly remedy: string };

/** Words that slow a reader down: rare, old, or a metaphor where a standard term exists. `docs/glossary.md` has the terms. */
export const BANNED_WORDS: readonly BannedWord[] = [
  { word: /\banew\b/i, remedy: '"again"' },
  { word: /\bwhoever\b/i, remedy: '"anyone who", or name who does it' },
  { word: /\bwhat is none of\b/i, remedy: '"anything else than", or name it' },
  { word: /\bas good as none\b/i, remedy: '"counts as missing"' },
  { word: /\b(stands?|standing|stood) for\b/i, remedy: '"means", "replaces" or "imitates"' },
  { word: /\b(stands?|standing|stood)\b/i, remedy: '"is", "is written" or "depends"' },
  { word: /\btold\b/i, remedy: '"informed", "distinguished", or say who reads what' },
  { word: /\b(tells?|telling)\b/i, remedy: '"says", "shows", "returns" or "distinguishes"' },
  { word: /\bso long\b/i, remedy: '"while", "that long", or the time itself' },
  { word: /\bthereby\b/i, remedy: '"so", in a sentence of its own' },
  { word: /\b(hitherto|lest|likewise|whilst|wherein|thereof|hence|thus)\b/i, remedy: 'a word of everyday English' },
  { word: /\bdoors?\b/i, remedy: '"wire file", "route", "operation" or "API"' },
  {
    word: /(?<!\b(capital|lower-case|upper-case|small|two|three|of|of the|few) )\bletters?\b(?!,? (digits|or digits|and digits|in front))/i,
    remedy: '"round trip" or "pipeline"',
  },
  { word: /\brubbish\b/i, remedy: '"garbage"' },
  { word: /\btrouble\b/i, remedy: '"refusal", "fault", "finding" or "problem"' },
  { word: /\bkin\b/i, remedy: '"similar names", or list them' },
  { word: /\bmisshapen\b/i, remedy: '"malformed"' },
  { word: /\bmend(s|ed|ing)?\b/i, remedy: '"fix" or "repair"' },
  { word: /\b(un)?buried\b/i, remedy: '"a zombie process", or what it is' },
  { word: /\bbut for\b/i, remedy: '"except"' },
  { word: /\bnobody['’]s\b/i, remedy: 'say who has it, or that none is needed' },
];
