import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const cells = defineArea({
  path: '/cells',
  icon: 'cells',
  words: defineWords({ es: { name: 'Celdas' }, en: { name: 'Cells' }, pt: { name: 'Células' } }),
  needs: 'merchants:read',
  isOfService: true,
  group: 'setup',
  pages: [{ path: '/cells', reads: 'listCells', load: async () => (await import('./cells-page.tsx')).CellsPage }],
});
