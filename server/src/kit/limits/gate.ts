import { Overloaded } from '../http.ts';
import { networkOfAddress } from './network-of-address.ts';

/** Runs work of an address, where few enough is under way, in all and of its network. Throws: Overloaded. Then nothing was begun. */
export type Gate = <T>(address: string, work: () => Promise<T>) => Promise<T>;

const MOST_AT_ONCE = 24;
const MOST_OF_NETWORK = 8;

/** Opens a gate: a crowd in front of it costs nothing, those behind it do not wait for each other, and no network takes all of it. */
export function openGate(): Gate {
  const inside = new Map<string, number>();
  let all = 0;
  return async (address, work) => {
    const network = networkOfAddress(address);
    const own = inside.get(network) ?? 0;
    if (all >= MOST_AT_ONCE || own >= MOST_OF_NETWORK) throw new Overloaded();
    all++;
    inside.set(network, own + 1);
    try {
      return await work();
    } finally {
      all--;
      const left = (inside.get(network) ?? 0) - 1;
      if (left > 0) inside.set(network, left);
      else inside.delete(network);
    }
  };
}
