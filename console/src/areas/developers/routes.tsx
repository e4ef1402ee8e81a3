import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const developers = defineArea({
  path: '/developers',
  icon: 'developers',
  words: defineWords({ es: { name: 'Desarrolladores' }, en: { name: 'Developers' }, pt: { name: 'Desenvolvedores' } }),
  needs: 'merchants:read',
  group: 'setup',
  pages: [{ path: '/developers', load: async () => (await import('./developers-page.tsx')).DevelopersPage }],
});
