import { CommandRefused, sentInstant, ServiceRefused, type Asks } from '../kit/command-line.ts';
import { readMe } from '../manage/index.ts';
import { findCountry } from './countries.ts';
import { listMerchants, readMerchant } from './merchants.manage.ts';
import type { ListedMerchant, ShownMerchant, ShownSecret } from './read-merchants.ts';

// What commands ask of a service that `--url` names.

/** All merchants that the access token may see, by id. */
const askMerchants = async (service: Asks): Promise<readonly ListedMerchant[]> =>
  (await service.list(listMerchants, Number.POSITIVE_INFINITY)).items.map(listedOf);

/** One merchant. Throws: CommandRefused when there is none. */
export async function askMerchant(service: Asks, id: string): Promise<ShownMerchant> {
  try {
    const { fixedHashes, noticeHashes, signingSecrets, ...listed } = await service.call(readMerchant, { path: { merchant: id } });
    return {
      ...listedOf(listed),
      fixedHashes: fixedHashes.map(secretOf),
      noticeHashes: noticeHashes.map(secretOf),
      signingSecrets: signingSecrets.map(secretOf),
    };
  } catch (error) {
    if (error instanceof ServiceRefused && error.problem === 'not_found') throw new CommandRefused(`There is no merchant ${id}.`);
    throw error;
  }
}

const zoneOf = (country: string): string => findCountry(country)?.timeZone ?? 'UTC';

/**
 * The zone in which a command shows times: that of its one merchant, else UTC. A token that is bound to a merchant has that merchant's.
 * Throws: CommandRefused when there is no such merchant.
 */
export async function askZone(service: Asks, id: string | undefined, isUtc = false): Promise<string> {
  const { merchant, timeZone } = await service.call(readMe);
  const named = id === undefined || id === merchant ? undefined : await askMerchant(service, id);
  if (isUtc) return 'UTC';
  return named === undefined ? (timeZone ?? 'UTC') : zoneOf(named.country);
}

/** The zone that all these merchants share, else UTC. */
export async function askSharedZone(service: Asks, shown: readonly { readonly merchant: string }[], isUtc = false): Promise<string> {
  if (isUtc || shown.length === 0) return 'UTC';
  const { timeZone } = await service.call(readMe);
  if (timeZone !== null) return timeZone;
  const ids = new Set(shown.map(({ merchant }) => merchant));
  const [first = '', ...rest] = ids;
  if (rest.length === 0) return zoneOf((await askMerchant(service, first)).country);
  const [zone = 'UTC', ...others] = new Set(
    (await askMerchants(service)).filter((one) => ids.has(one.merchant)).map(({ country }) => zoneOf(country)),
  );
  return others.length === 0 ? zone : 'UTC';
}

type Sent<Item> = {
  readonly [Name in keyof Item]: Item[Name] extends Temporal.Instant | null ? Extract<Item[Name], null> | string : Item[Name];
};

/** The zone follows from the country, so a command has it without asking. */
function listedOf(sent: Sent<ListedMerchant> & { readonly timeZone?: string }): ListedMerchant {
  const { createdAt, disabledAt, frozenAt, timeZone: _, ...rest } = sent;
  return { ...rest, createdAt: Temporal.Instant.from(createdAt), disabledAt: sentInstant(disabledAt), frozenAt: sentInstant(frozenAt) };
}

const secretOf = ({ createdAt, validUntil }: Sent<ShownSecret>): ShownSecret => ({
  createdAt: Temporal.Instant.from(createdAt),
  validUntil: sentInstant(validUntil),
});
