import type { HttpServer } from '../kit/http.ts';
import { findLanguage, type Language } from '../kit/language.ts';

const WORDS: Readonly<Record<Language, string>> = {
  es: 'Sandbox pública: el dinero no es real, y quien llegue a ella ve todos sus mensajes.',
  en: 'Public sandbox: the money is not real, and everyone who reaches it sees all its messages.',
  pt: 'Sandbox pública: o dinheiro não é real, e quem chegar a ela vê todas as mensagens.',
};

/** Says at the top of every page that the sandbox is public, in the page's language. It is one place for the pages of every room. */
export function addPublicNotice(app: HttpServer): void {
  app.addHook('onSend', (_request, reply, page, done) => {
    const isPage = typeof page === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
    done(null, isPage ? withNotice(page) : page);
  });
}

function withNotice(page: string): string {
  const language = findLanguage(/<html lang="([a-z]{2})/.exec(page)?.[1]) ?? 'en';
  const notice = `<p role="note"><strong>${WORDS[language]}</strong></p>`;
  const [body] = /<body[^>]*>/.exec(page) ?? [];
  return body === undefined ? notice + page : page.replace(body, () => body + notice);
}
