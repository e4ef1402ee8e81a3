import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const home = defineArea({
  path: '/',
  icon: 'home',
  words: defineWords({ es: { name: 'Inicio' }, en: { name: 'Home' }, pt: { name: 'Início' } }),
  needs: 'anyone',
  group: 'money',
  pages: [{ path: '/', load: async () => (await import('./home-page.tsx')).HomePage }],
});
