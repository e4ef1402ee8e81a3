import { join } from 'node:path';
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';

const CONSOLE = join(import.meta.dirname, 'src', 'console.tsx');
const FIRST = join(import.meta.dirname, 'src', 'main.ts');

/** Knows what each module imports. */
type Modules = { readonly getModuleInfo: (id: string) => Rolldown.ModuleInfo | null };

/** A module and all that it imports at once. */
function withImports(id: string, modules: Modules, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) withImports(imported, modules, found);
  return found;
}

/** What the console needs in any case is one file, without what the small file that runs first has already. */
const isInConsole = (id: string, modules: Modules): boolean =>
  withImports(CONSOLE, modules).has(id) && !withImports(FIRST, modules).has(id);

const tagOf = (rel: string, file: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, crossorigin: true, href: `/console/${file}` },
  injectTo: 'head',
});

/** The page names the files of the console itself. So they come beside the small file that runs first, and not after it. */
const nameConsole: Plugin = {
  name: 'name-console',
  transformIndexHtml: {
    order: 'post',
    handler: (_page, { bundle = {} }) => {
      const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.includes(CONSOLE));
      if (chunk?.type !== 'chunk') throw new Error('the build lacks src/console.tsx');
      const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
      return [tagOf('modulepreload', chunk.fileName), ...styles.map((file) => tagOf('stylesheet', file))];
    },
  },
};

// oxlint-disable-next-line import/no-default-export -- Vite reads no other
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  clearScreen: false,
  logLevel: 'error',
  plugins: [nameConsole],
  // The policy of the page admits no style and no script but files of this server.
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: (id, chunking) => (isInConsole(id, chunking) ? 'console' : null) }],
        },
      },
    },
  },
});
