// Keeps an open checkout page current: requests the page again, and replaces the parts that differ. The page also works without it.

const main = document.querySelector('main[data-etag]');

const LONGEST_REST_MS = 30_000;
const TIMEOUT_MS = 8_000;
/** From this failure on the payer sees that the connection is lost. A phone often loses one answer. */
const FAILURES_UNTIL_SHOWN = 2;
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
    // A change that was acknowledged meanwhile must not come back. The next answer starts from what was seen by then.
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
  part('connection').textContent = failures < FAILURES_UNTIL_SHOWN ? '' : main.dataset.offline;
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
  leadBack();
}

let returning;
const countdown = () => document.querySelector('[data-return]');

/** Follows the link to the shop at the end of its countdown. A page that is replaced meanwhile counts on. */
function leadBack() {
  if (returning !== undefined || countdown() === null) return;
  const end = performance.now() + Number(countdown().dataset.return);
  returning = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const shown = countdown();
    if (shown !== null) shown.textContent = shown.dataset.says.replace('#', seconds);
    if (seconds > 0) return;
    clearInterval(returning);
    location.assign(part('return').href);
  }, 250);
}

/** Disables the pay button until the payer has acknowledged the changes. */
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

/** Browsers offer no clipboard without a secure connection; what is selected can still be copied. */
function copySelected(text) {
  const carrier = document.createElement('textarea');
  carrier.value = text;
  document.body.append(carrier);
  carrier.select();
  document.execCommand('copy');
  carrier.remove();
}

async function copy(button) {
  const { copy: text = linkOf(), copied } = button.dataset;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
  part('said').textContent = copied;
  const label = button.textContent;
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = label;
    part('said').textContent = '';
  }, 2_000);
}

/** The link of this page without what its payer has seen. */
function linkOf() {
  const address = new URL(location.href);
  address.searchParams.delete('seen');
  return address.href;
}

async function share(button) {
  if (navigator.share === undefined) return copy(button);
  // A payer who closes the list of apps has shared nothing, and that is no failure.
  await navigator.share({ title: document.title, url: linkOf() }).catch(() => undefined);
}

// A fault page has no order to keep current.
if (main !== null) {
  document.addEventListener('click', (event) => {
    const control = event.target.closest('[data-acknowledge], [data-copy], [data-share], [data-print]');
    if (control === null) return;
    if ('acknowledge' in control.dataset) {
      event.preventDefault();
      acknowledge();
    } else if ('print' in control.dataset) print();
    else if ('share' in control.dataset) void share(control);
    else void copy(control);
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : void ask()));
  addEventListener('pageshow', ({ persisted }) => void (persisted && ask()));
  addEventListener('online', () => void ask());

  document.documentElement.classList.add('live');
  rest();
  leadBack();
}
