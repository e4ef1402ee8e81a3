/**
 * The environment of a server, as `npm start` gives it.
 * Shape: root of the repository, what the server gets of our environment → variables.
 */
export function serverEnvironment(root: string, environment?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
