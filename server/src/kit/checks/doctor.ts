import type { Sealed } from '../secrets.ts';

/** What is wrong, and what to do about it. A fault stops or endangers the service. A warning may become one, or costs safety. */
export type Ailment = { readonly level: 'fault' | 'warning'; readonly says: string; readonly remedy: string };

/** What a check of `caudal doctor` looks at. The database refuses to write. */
export type Examined = {
  readonly query: <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** The service's time. A sandbox may be ahead of the machine. */
  readonly now: Temporal.Instant;
  readonly isSandbox: boolean;
  /** Seconds that a time zone is ahead of UTC here. Throws: RangeError for a zone that is not known here. */
  readonly offsetAt: (zone: string, at: Temporal.Instant) => number;
  /** Opens a sealed secret, as the servers do. Throws: where its master key is not held here, or it was altered. */
  readonly openSecret: (sealed: Sealed, place: string) => string;
};

/** One thing that the doctor looks at. All is well where it finds nothing. */
export type DoctorCheck<What = Examined> = { readonly name: string; readonly look: (examined: What) => Promise<readonly Ailment[]> };

export const fault = (says: string, remedy: string): Ailment => ({ level: 'fault', says, remedy });
export const warning = (says: string, remedy: string): Ailment => ({ level: 'warning', says, remedy });

/** An ailment where the condition holds. */
export const when = (condition: boolean, ailment: () => Ailment): readonly Ailment[] => (condition ? [ailment()] : []);

/** A check that asks for rows and judges each. `values` come from what is examined. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape of a row
export const checkOfRow = <Row, What extends Examined = Examined>(
  name: string,
  text: string,
  judge: (row: Row, examined: What) => readonly Ailment[],
  values: (examined: What) => readonly unknown[] = () => [],
): DoctorCheck<What> => ({
  name,
  look: async (examined) => (await examined.query<Row>(text, values(examined))).flatMap((row) => judge(row, examined)),
});

/** After so many days without a change more people and programs know a secret than should. */
export const OLD_DAYS = 400;

/** The time of the service, for a check that counts from it. */
export const atNow = ({ now }: Examined): readonly unknown[] => [now.toString()];

/** Names a few of many: "a, b, c and 4 more". */
export function nameSome(names: readonly string[], total: number): string {
  const rest = total - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}
