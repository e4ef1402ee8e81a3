/** When points of a network are open: from one day of the week to another, the same hours. Days: 1 is Monday. */
export type Opening = { readonly firstDay: number; readonly lastDay: number; readonly opens: string; readonly closes: string };

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const PART = /^(?<first>[a-z]{3})(?:-(?<last>[a-z]{3}))? (?<opens>[0-9]{2}:[0-9]{2})-(?<closes>[0-9]{2}:[0-9]{2})$/;
const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;
const MOST_PARTS = 4;

/**
 * Reads opening hours.
 * Shape: `mon-sat 08:00-20:00, sun 09:00-13:00`, the days in order and none twice; until 24:00 at most.
 * Undefined: the text has another form.
 */
export function parseHours(text: string): readonly Opening[] | undefined {
  const openings = text.split(', ').map(parsePart);
  if (openings.length > MOST_PARTS || !openings.every((one) => one !== undefined)) return undefined;
  const isInOrder = openings.every(({ firstDay }, index) => index === 0 || firstDay > (openings[index - 1] as Opening).lastDay);
  return isInOrder ? openings : undefined;
}

function parsePart(text: string): Opening | undefined {
  const { first = '', last = first, opens = '', closes = '' } = PART.exec(text)?.groups ?? {};
  const [firstDay, lastDay] = [DAYS.indexOf(first) + 1, DAYS.indexOf(last) + 1];
  const isWhole = TIME.test(opens) && (TIME.test(closes) || closes === '24:00') && opens < closes;
  return isWhole && firstDay > 0 && lastDay >= firstDay ? { firstDay, lastDay, opens, closes } : undefined;
}
