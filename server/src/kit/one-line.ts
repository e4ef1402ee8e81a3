/**
 * Makes another person's text safe to show in a header, a line or a page. Line breaks, control characters and marks that turn the
 * direction of writing become spaces. Several spaces become one.
 * Shape: any text → the text to show, perhaps empty. Stored and answered texts stay as they were sent.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
}

/** As oneLine, for a terminal: it would carry out what a text says to it. Spaces stay as they were sent. */
export const forTerminal = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ');

/** Reads the address of a page elsewhere. Null for one that a browser would first correct: it shows another address than it opens. */
export const readAddress = (text: string): URL | null =>
  oneLine(text) === text && !/[ \\]|^https?:(?!\/\/)/i.test(text) ? URL.parse(text) : null;
