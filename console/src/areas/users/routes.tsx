import { defineArea } from '../../shell/area.ts';
import { defineWords } from '../../shell/language.ts';

export const users = defineArea({
  path: '/users',
  icon: 'users',
  words: defineWords({ es: { name: 'Usuarios' }, en: { name: 'Users' }, pt: { name: 'Usuários' } }),
  needs: 'users:read',
  group: 'setup',
  pages: [
    { path: '/users', load: async () => (await import('./users-page.tsx')).UsersPage },
    { path: '/users/$user', load: async () => (await import('./user-page.tsx')).UserPage },
  ],
});
