/** The kinds of device that the log of pages knows. A phone may be a tablet. A program is a preview of a link, or another robot. */
export const DEVICES = ['phone', 'computer', 'program'] as const;
export type Device = (typeof DEVICES)[number];

const PROGRAM = /bot\b|crawl|spider|preview|externalhit|whatsapp|telegram|slack|headless/i;
const PHONE = /mobi|android|iphone|ipad|tablet/i;

/** Shows the kind of a device by its User-Agent. Nothing else of it is kept. */
export function deviceOf(userAgent: string | undefined = ''): Device {
  if (!userAgent.startsWith('Mozilla/') || PROGRAM.test(userAgent)) return 'program';
  return PHONE.test(userAgent) ? 'phone' : 'computer';
}
