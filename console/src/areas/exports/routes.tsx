import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const exports = defineArea({
  path: '/exports',
  icon: 'download',
  words: defineWords({ es: { name: 'Mis archivos' }, en: { name: 'My files' }, pt: { name: 'Meus arquivos' } }),
  needs: 'exports:read',
  group: 'watch',
  pages: [{ path: '/exports', load: async () => (await import('./exports-page.tsx')).ExportsPage }],
});
