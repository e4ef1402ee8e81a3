/**
 * The instant of a time of the day in a zone.
 * Shape: what a field of a date and a time holds, as 2026-11-21T10:00 → RFC 3339 in UTC. Undefined: there is no such time.
 */
export function instantAt(local: string, zone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return undefined;
  const asUtc = Date.parse(`${local}:00Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The offset of a zone changes twice a year at most: the second step is right around a change too.
  let at = asUtc;
  for (let step = 0; step < 2; step++) at = asUtc - offsetAt(at, zone);
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** How far the clocks of a zone are ahead of UTC. Shape: milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - at;
}
