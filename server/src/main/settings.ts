// How settings are read from the environment, for all that takes some.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings as they are given. `faults` collects what is wrong with them. */
export type Settings = ReturnType<typeof settingsOf>;

/** Opens the settings of an environment. Each is read once, by its name. */
export function settingsOf(environment: Environment) {
  const faults: string[] = [];
  const names = new Set<string>();
  const given = (name: string): string | undefined => {
    names.add(name);
    const value = environment[name];
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  };
  const take = <T>(name: string, fallback: T, rule: string, parse: (text: string) => T | undefined): T => {
    const text = given(name);
    if (text === undefined) return fallback;
    const parsed = parse(text);
    if (parsed === undefined) faults.push(`${name}: takes ${rule}`);
    return parsed ?? fallback;
  };
  const oneOf = <T extends string>(name: string, fallback: T, choices: readonly T[]): T =>
    take(name, fallback, choices.join(' or '), (text) => choices.find((choice) => choice === text));
  const isYes = (name: string, usual = false): boolean => oneOf(name, usual ? 'yes' : 'no', ['yes', 'no'] as const) === 'yes';
  return { faults, names, given, take, oneOf, isYes };
}

/** Reads a whole number within bounds, both included. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1;
    return value >= least && value <= most ? value : undefined;
  };
