import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const people = defineArea({
  path: '/people',
  icon: 'person',
  words: defineWords({ es: { name: 'Datos personales' }, en: { name: 'Personal data' }, pt: { name: 'Dados pessoais' } }),
  needs: 'people:write',
  isOfService: true,
  group: 'watch',
  pages: [{ path: '/people', load: async () => (await import('./people-page.tsx')).PeoplePage }],
});
