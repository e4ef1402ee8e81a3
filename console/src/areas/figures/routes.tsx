import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const figures = defineArea({
  path: '/figures',
  icon: 'figures',
  words: defineWords({ es: { name: 'Cifras' }, en: { name: 'Figures' }, pt: { name: 'Indicadores' } }),
  needs: 'figures:read',
  group: 'watch',
  pages: [{ path: '/figures', load: async () => (await import('./figures-page.tsx')).FiguresPage }],
});
