import { navigate } from 'wouter/use-browser-location';
import type { LinkTo } from './area.ts';
import { BASE, findPage, loadContent } from './pages.ts';
import { mayLeave } from './unsaved.ts';

export type { LinkTo };

/** The address of a page, as the browser shows it. */
export const hrefOf = (to: LinkTo): string => `${BASE}${to}`;

/** Loads the file of a page, as somebody may open it soon. */
export async function prepare(to: string): Promise<void> {
  const found = findPage(to.split(/[?#]/)[0] as string);
  // What fails here fails again where it is shown.
  if (found !== undefined) await loadContent(found.page).catch(() => undefined);
}

/** How long the present page stays while the next one is loaded. Then the next one says that it is loading. */
const STAYS_MS = 1_000;
let turn = 0;

type How = {
  /** The way back does not lead to the present page. */
  readonly replaces?: boolean;
  /** What the history of the browser keeps beside the address. */
  readonly state?: Readonly<Record<string, unknown>>;
};

/**
 * Leads to a page, once its file is there. Who chooses another page meanwhile comes there alone.
 * Where something is unsaved, the user is asked first.
 */
export async function goTo(to: LinkTo, { replaces = false, state }: How = {}): Promise<void> {
  if (!mayLeave()) return;
  const own = ++turn;
  await Promise.race([prepare(to), new Promise((resolve) => setTimeout(resolve, STAYS_MS))]);
  if (own === turn) navigate(hrefOf(to), { replace: replaces, state: { ...state, place: crypto.randomUUID() } });
}

/** How far each place of the history was scrolled, by its name. */
const scrolled = new Map<unknown, number>();
const SETTLES_MS = 500;

const placeNow = (): unknown => (history.state as { readonly place?: string } | null)?.place;

const addressNow = (): string => location.pathname + location.search;

/**
 * The way back shows a page as far down as it was left. Its rows may come a little later. A new page begins at its top.
 * Effects: listens as long as the window is there.
 */
export function keepScroll(): void {
  let place = placeNow();
  let shown = { address: addressNow(), state: history.state as unknown };
  /** The way back has changed the address. Where it would lose something, and the user stays, the address of the page comes back. */
  const staysHere = (): boolean => {
    if (addressNow() === shown.address || mayLeave()) return false;
    // The library that hears the address would take this for a page that was opened.
    History.prototype.pushState.call(history, shown.state, '', shown.address);
    return true;
  };
  const note = (): void => {
    place = placeNow();
    shown = { address: addressNow(), state: history.state };
  };
  history.scrollRestoration = 'manual';
  // After a reload the browser does it.
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));
  addEventListener('scroll', () => scrolled.set(place, scrollY), { passive: true });
  addEventListener('pushState', () => {
    note();
    scrollTo(0, 0);
  });
  addEventListener('replaceState', note);
  addEventListener('popstate', (event) => {
    if (staysHere()) return event.stopImmediatePropagation();
    turn++;
    note();
    if (location.hash === '') scrollBack(scrolled.get(place) ?? 0);
  });
}

/** Scrolls down while the page grows to what it was, until somebody does something. */
function scrollBack(wanted: number): void {
  const until = performance.now() + SETTLES_MS;
  const stop = new AbortController();
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate', 'pushState'])
    addEventListener(type, () => stop.abort(), { signal: stop.signal });
  const scroll = (): void => {
    if (stop.signal.aborted) return;
    scrollTo(0, wanted);
    if (performance.now() < until) requestAnimationFrame(scroll);
    else stop.abort();
  };
  requestAnimationFrame(scroll);
}
