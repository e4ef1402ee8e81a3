import { createContext, use } from 'react';
import type { Answer } from '../api/client.ts';
import type { Permission } from '../api/generated/operations.ts';
import { queryClient, reading, useReadAll } from '../api/queries.ts';

export type Me = Answer<'readMe'>['body'];

export const MeContext = createContext<Me | undefined>(undefined);

/** Who is signed in. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === undefined) throw new Error('nobody is signed in here');
  return me;
}

/** Says whether the user has a permission. What a user may not do is not shown. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}

/** True for a user of the service's own side, who sees every merchant. */
export const useIsService = (): boolean => useMe().merchant === null;

/** The time zone of a merchant: that of its days. Of everybody: that of all merchants, or UTC where they have several. */
export function useZoneOf(): (merchant: string | null) => string {
  const { timeZone } = useMe();
  const merchants = useMerchants();
  return (merchant) => merchants.find((one) => one.merchant === merchant)?.timeZone ?? timeZone ?? 'UTC';
}

/** All merchants that the user sees, for choices and time zones. None where the user may not see them. */
export const useMerchants = (): readonly Answer<'listMerchants'>['body']['items'][number][] => useMerchantList().data?.items ?? [];

function useMerchantList() {
  const isOn = useMay()('merchants:read');
  return useReadAll('listMerchants', {}, { isOn });
}

/** The merchant that a new form begins with: the user's own, or the only one there is, else none. Undefined: it is not known yet. */
export function useFirstMerchant(): string | undefined {
  const { merchant } = useMe();
  const { data, isLoading } = useMerchantList();
  if (merchant !== null) return merchant;
  if (isLoading) return undefined;
  const [only, another] = data?.items ?? [];
  return another === undefined ? (only?.merchant ?? '') : '';
}

/** The currencies of the merchants that the user sees, the first ones first. */
export const useCurrencies = (): readonly string[] => [...new Set(useMerchants().flatMap(({ currencies }) => currencies))];

/** The instant that the service's clock shows. That of a sandbox may be far from the browser's. */
export function useNow(): number {
  const { now } = useMe();
  // Of what is there: no page asks who is signed in again, only to know what time it is.
  const readAt = queryClient.getQueryState(reading('readMe', {}).queryKey)?.dataUpdatedAt ?? Date.now();
  return Date.parse(now) + Math.max(0, Date.now() - readAt);
}
