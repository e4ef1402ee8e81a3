/** The address of the console in the browser, without its host. */
const here = (): string => location.pathname + location.search;

/** Leads to the page of signing in, and back to this address. The same page proves a session again. */
export const goToSignIn = (): void => location.assign(`/console/sign-in?next=${encodeURIComponent(here())}`);
