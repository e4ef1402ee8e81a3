import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const audit = defineArea({
  path: '/audit',
  icon: 'audit',
  words: defineWords({ es: { name: 'Auditoría' }, en: { name: 'Audit log' }, pt: { name: 'Auditoria' } }),
  needs: 'audit:read',
  isOfService: true,
  group: 'watch',
  pages: [
    { path: '/audit', load: async () => (await import('./acts-page.tsx')).ActsPage },
    { path: '/audit/$act', load: async () => (await import('./act-page.tsx')).ActPage },
  ],
});
