import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const design = defineArea({
  path: '/design',
  icon: 'columns',
  words: defineWords({ es: { name: 'Componentes' }, en: { name: 'Components' }, pt: { name: 'Componentes' } }),
  needs: 'anyone',
  isHidden: true,
  group: 'setup',
  pages: [{ path: '/design', load: async () => (await import('./design-page.tsx')).DesignPage }],
});
