/** The environment of a server, as `npm start` gives it. Shape: root of the repository → variables. */
export function serverEnvironment(root: string): Readonly<Record<string, string>>;
