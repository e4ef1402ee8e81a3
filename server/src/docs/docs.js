// The pages work without this script. It remembers the chosen language of programs, copies programs, and searches while one types.

const CHOSEN = 'caudal.programs';

function rememberPrograms() {
  const choices = [...document.querySelectorAll('.chooser input')];
  const kept = localStorage.getItem(CHOSEN);
  for (const choice of choices) {
    if (choice.value === kept) choice.checked = true;
    choice.addEventListener('change', () => localStorage.setItem(CHOSEN, choice.value));
  }
}

function addCopyButtons() {
  const words = { es: ['Copiar', 'Copiado'], en: ['Copy', 'Copied'], pt: ['Copiar', 'Copiado'] }[document.documentElement.lang];
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = words[0];
    const say = (word) => (button.textContent = word);
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(block.textContent).then(() => say(words[1]));
      setTimeout(say, 2000, words[0]);
    });
    const frame = document.createElement('div');
    frame.className = 'copied';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

const PAUSE_MS = 150;

function searchWhileTyping() {
  const form = document.querySelector('.search');
  const [field, hits] = [form.querySelector('[type=search]'), form.querySelector('.hits')];
  let asked = 0;
  const show = async () => {
    const number = ++asked;
    const query = new URLSearchParams(new FormData(form));
    const answer = await fetch(`/docs/search?${query}`, { headers: { accept: 'application/json' } });
    if (number !== asked || !answer.ok) return;
    const found = await answer.json();
    hits.replaceChildren(
      ...found.slice(0, 8).map(({ path, page, title }) => {
        const link = document.createElement('a');
        link.href = path;
        const small = document.createElement('small');
        small.textContent = page === title ? '' : ` ${page}`;
        link.append(title, small);
        return link;
      }),
    );
    hits.hidden = found.length === 0 || field.value.trim() === '';
  };
  let waiting;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void show(), PAUSE_MS);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hits.hidden = true;
    if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) hits.hidden = true;
  });
}

rememberPrograms();
addCopyButtons();
searchWhileTyping();
