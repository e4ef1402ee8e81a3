import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const networks = defineArea({
  path: '/networks',
  icon: 'networks',
  words: defineWords({ es: { name: 'Redes' }, en: { name: 'Networks' }, pt: { name: 'Redes' } }),
  needs: 'networks:read',
  isOfService: true,
  group: 'setup',
  pages: [
    { path: '/networks', load: async () => (await import('./networks-page.tsx')).NetworksPage },
    { path: '/networks/new', needs: 'networks:write', load: async () => (await import('./new-network-page.tsx')).NewNetworkPage },
    { path: '/networks/$netname', load: async () => (await import('./network-page.tsx')).NetworkPage },
  ],
});
