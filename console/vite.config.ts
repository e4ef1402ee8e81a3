import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export -- Vite reads no other
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  clearScreen: false,
  logLevel: 'error',
  // The policy of the page admits no style and no script but files of this server.
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
    reportCompressedSize: false,
  },
});
