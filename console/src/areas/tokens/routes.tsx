import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const tokens = defineArea({
  path: '/tokens',
  icon: 'key',
  words: defineWords({ es: { name: 'Tokens de acceso' }, en: { name: 'Access tokens' }, pt: { name: 'Tokens de acesso' } }),
  needs: 'tokens:write',
  group: 'setup',
  pages: [{ path: '/tokens', load: async () => (await import('./tokens-page.tsx')).TokensPage }],
});
