import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const account = defineArea({
  path: '/account',
  icon: 'account',
  words: defineWords({ es: { name: 'Su cuenta' }, en: { name: 'Your account' }, pt: { name: 'Sua conta' } }),
  needs: 'anyone',
  group: 'setup',
  pages: [{ path: '/account', load: async () => (await import('./account-page.tsx')).AccountPage }],
});
