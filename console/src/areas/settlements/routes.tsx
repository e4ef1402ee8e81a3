import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const bankFiles = defineArea({
  path: '/bank-files',
  icon: 'settlements',
  words: defineWords({ es: { name: 'Archivos del banco' }, en: { name: 'Bank files' }, pt: { name: 'Arquivos do banco' } }),
  needs: 'ledger:read',
  isOfService: true,
  isHidden: true,
  group: 'money',
  pages: [
    { path: '/bank-files', reads: 'listSettlementFiles', load: async () => (await import('./bank-files-page.tsx')).BankFilesPage },
    { path: '/bank-files/layouts', load: async () => (await import('./layouts-page.tsx')).LayoutsPage },
    {
      path: '/bank-files/layouts/$layout',
      reads: 'readBankFileLayout',
      load: async () => (await import('./layout-page.tsx')).LayoutPage,
    },
  ],
});

export const settlements = defineArea({
  path: '/settlements',
  icon: 'settlements',
  words: defineWords({ es: { name: 'Liquidaciones' }, en: { name: 'Settlements' }, pt: { name: 'Liquidações' } }),
  needs: 'ledger:read',
  group: 'money',
  pages: [
    { path: '/settlements', load: async () => (await import('./settlements-page.tsx')).SettlementsPage },
    { path: '/settlements/$merchant', reads: 'readMerchant', load: async () => (await import('./terms-page.tsx')).TermsPage },
    {
      path: '/settlements/$merchant/$settlement',
      reads: 'readSettlement',
      load: async () => (await import('./settlement-page.tsx')).SettlementPage,
    },
  ],
});
