// Keeps an open checkout page current. The page does without it: this asks for the page itself again and puts the parts that differ in place.

const main = document.querySelector('main[data-etag]');

const LONGEST_REST_MS = 30_000;
const TIMEOUT_MS = 8_000;
/** One lost answer is everyday life on a phone; from the second on, the payer is told. */
const TOLD_FAILURES = 2;
const PARTS = ['changes', 'state', 'order'];
const part = (id) => document.getElementById(id);

let failures = 0;
let timer;
let isAsking = false;

function rest() {
  clearTimeout(timer);
  const intervalMs = Number(main.dataset.interval);
  if (intervalMs > 0 && !document.hidden) timer = setTimeout(() => void ask(), Math.min(intervalMs * 2 ** failures, LONGEST_REST_MS));
}

async function ask() {
  if (isAsking) return;
  isAsking = true;
  const { seen } = main.dataset;
  const address = new URL(location.href);
  address.searchParams.set('seen', seen);
  const aborting = new AbortController();
  const limit = setTimeout(() => aborting.abort(), TIMEOUT_MS);
  try {
    const headers = { 'if-none-match': main.dataset.etag };
    const answer = await fetch(address, { headers, cache: 'no-store', redirect: 'error', signal: aborting.signal });
    if (answer.status !== 200 && answer.status !== 304) throw new Error(String(answer.status));
    // What was acknowledged meanwhile must not come back: the next answer is about what was seen by then.
    if (answer.status === 200) {
      const page = await answer.text();
      if (main.dataset.seen === seen) show(new DOMParser().parseFromString(page, 'text/html'));
    }
    failures = 0;
  } catch {
    failures += 1;
  }
  clearTimeout(limit);
  isAsking = false;
  part('connection').textContent = failures < TOLD_FAILURES ? '' : main.dataset.offline;
  rest();
}

function show(page) {
  const fresh = page.querySelector('main[data-etag]');
  if (fresh === null) return;
  const focused = document.activeElement?.id;
  for (const id of PARTS) {
    const now = page.getElementById(id);
    if (part(id).innerHTML !== now.innerHTML) part(id).replaceChildren(...now.childNodes);
    part(id).className = now.className;
  }
  Object.assign(main.dataset, fresh.dataset);
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  if (focused) part(focused)?.focus({ preventScroll: true });
  hold();
}

/** What changed under the payer's hand must be seen before it can be paid. */
function hold() {
  const mustLook = part('changes').childElementCount > 0;
  for (const button of part('order').querySelectorAll('form button')) button.disabled = mustLook;
}

function acknowledge() {
  main.dataset.seen = main.dataset.version;
  part('changes').replaceChildren();
  hold();
  document.querySelector('h1').focus();
}

async function copy(button) {
  const { copy: text, copied } = button.dataset;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure connection there is no clipboard to write to; a selection can still be copied.
    getSelection().selectAllChildren(part('reference'));
    document.execCommand('copy');
  }
  part('said').textContent = copied;
  const label = button.textContent;
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = label;
    part('said').textContent = '';
  }, 2_000);
}

// A page about no order has nothing to keep current.
if (main !== null) {
  document.addEventListener('click', (event) => {
    const control = event.target.closest('[data-acknowledge], [data-copy], [data-print]');
    if (control === null) return;
    if ('acknowledge' in control.dataset) {
      event.preventDefault();
      acknowledge();
    } else if ('print' in control.dataset) print();
    else void copy(control);
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : void ask()));
  addEventListener('pageshow', ({ persisted }) => void (persisted && ask()));
  addEventListener('online', () => void ask());

  document.documentElement.classList.add('live');
  rest();
}
