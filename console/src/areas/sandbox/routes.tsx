import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const sandbox = defineArea({
  path: '/sandbox',
  icon: 'sandbox',
  words: defineWords({ es: { name: 'Entorno de pruebas' }, en: { name: 'Sandbox' }, pt: { name: 'Ambiente de testes' } }),
  needs: 'sandbox:use',
  isOfService: true,
  isOfSandbox: true,
  group: 'watch',
  pages: [
    { path: '/sandbox', load: async () => (await import('./sandbox-page.tsx')).SandboxPage },
    { path: '/sandbox/inbox', load: async () => (await import('./inbox-page.tsx')).InboxPage },
    { path: '/sandbox/inbox/$channel/$id', load: async () => (await import('./entry-page.tsx')).EntryPage },
  ],
});
