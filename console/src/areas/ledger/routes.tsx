import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const ledger = defineArea({
  path: '/ledger',
  icon: 'ledger',
  words: defineWords({ es: { name: 'Libro' }, en: { name: 'Ledger' }, pt: { name: 'Livro-razão' } }),
  needs: 'ledger:read',
  group: 'money',
  pages: [
    { path: '/ledger', load: async () => (await import('./ledger-page.tsx')).LedgerPage },
    { path: '/ledger/$merchant', load: async () => (await import('./accounts-page.tsx')).AccountsPage },
    { path: '/ledger/$merchant/entries', load: async () => (await import('./entries-page.tsx')).EntriesPage },
    { path: '/ledger/$merchant/days/$day', load: async () => (await import('./day-page.tsx')).DayPage },
  ],
});
