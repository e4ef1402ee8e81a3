import { useIsService, useMay, useMe } from '../shell/me.tsx';

/**
 * Says whether the user may register cashouts. In production only a merchant's own people may: who registers one can end up with its money.
 * In a sandbox the service's side tries it too.
 */
export function useMayRegister(): boolean {
  const may = useMay()('cashouts:write');
  const isService = useIsService();
  const { isSandbox } = useMe();
  return may && (!isService || isSandbox);
}
