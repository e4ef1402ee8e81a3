/**
 * Makes a text that someone else wrote safe to stand in a header, a line or a page of ours: line breaks, control characters and the marks
 * that turn the direction of writing become blanks, runs of blanks one.
 * Shape: any text → what is shown of it, perhaps nothing; what is stored and answered stays as it was sent.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
}
