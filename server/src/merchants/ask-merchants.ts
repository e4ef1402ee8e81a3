import { CommandRefused } from '../kit/command-line.ts';
import { ServiceRefused } from '../kit/remote/open-remote.ts';
import type { Remote } from '../kit/remote/remote.ts';
import { findCountry } from './countries.ts';
import { listMerchants, readMerchant } from './merchants.manage.ts';
import type { ListedMerchant, ShownMerchant, ShownSecret } from './read-merchants.ts';

// What commands ask of a service that `--url` names.

/** All merchants that the access token may see, by id. */
export const askMerchants = async (service: Remote): Promise<readonly ListedMerchant[]> =>
  (await service.list(listMerchants, Number.POSITIVE_INFINITY)).items.map(listedOf);

/** One merchant. Throws: CommandRefused when there is none. */
export async function askMerchant(service: Remote, id: string): Promise<ShownMerchant> {
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

/** The zone in which a command shows times: that of its one merchant, else UTC. Throws: CommandRefused when there is no such merchant. */
export async function askZone(service: Remote, id: string | undefined, isUtc = false): Promise<string> {
  if (id === undefined) return 'UTC';
  const { country } = await askMerchant(service, id);
  return isUtc ? 'UTC' : (findCountry(country)?.timeZone ?? 'UTC');
}

/** The zone that all these merchants share, else UTC. */
export async function askSharedZone(service: Remote, ids: readonly string[], isUtc: boolean): Promise<string> {
  if (isUtc || ids.length === 0) return 'UTC';
  const shown = new Set(ids);
  const [country = '', ...others] = new Set(
    (await askMerchants(service)).filter((one) => shown.has(one.merchant)).map((one) => one.country),
  );
  return others.length === 0 ? (findCountry(country)?.timeZone ?? 'UTC') : 'UTC';
}

const orNull = (at: string | null): Temporal.Instant | null => (at === null ? null : Temporal.Instant.from(at));

type Sent<Item> = {
  readonly [Name in keyof Item]: Item[Name] extends Temporal.Instant | null ? Extract<Item[Name], null> | string : Item[Name];
};

const listedOf = ({ createdAt, disabledAt, frozenAt, ...rest }: Sent<ListedMerchant>): ListedMerchant => ({
  ...rest,
  createdAt: Temporal.Instant.from(createdAt),
  disabledAt: orNull(disabledAt),
  frozenAt: orNull(frozenAt),
});

const secretOf = ({ createdAt, validUntil }: Sent<ShownSecret>): ShownSecret => ({
  createdAt: Temporal.Instant.from(createdAt),
  validUntil: orNull(validUntil),
});
