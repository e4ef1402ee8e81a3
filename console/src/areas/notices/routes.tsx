import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const notices = defineArea({
  path: '/notices',
  icon: 'notices',
  words: defineWords({ es: { name: 'Avisos' }, en: { name: 'Notices' }, pt: { name: 'Avisos' } }),
  needs: 'notices:read',
  group: 'delivery',
  pages: [
    { path: '/notices', load: async () => (await import('./notices-page.tsx')).NoticesPage },
    { path: '/notices/$notice', load: async () => (await import('./notice-page.tsx')).NoticePage },
  ],
});
