/**
 * Makes another person's text safe to show in a header, a line or a page. Line breaks, control characters and marks that turn the
 * direction of writing become spaces. Several spaces become one.
 * Shape: any text → the text to show, perhaps empty. Stored and answered texts stay as they were sent.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
}
