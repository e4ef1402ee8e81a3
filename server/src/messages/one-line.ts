/**
 * Makes a text that someone else wrote safe to stand in a header or a line of ours: line breaks, control characters and the marks that
 * turn the direction of writing become blanks, runs of blanks one.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
}
