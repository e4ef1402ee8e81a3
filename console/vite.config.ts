import { join } from 'node:path';
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';

const CONSOLE = join(import.meta.dirname, 'src', 'console.tsx');
const LIST = join(import.meta.dirname, 'src', 'list', 'list.tsx');
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

/** Pages that share a module, from which on the console has it. A small file of its own would cost a round trip. */
const SHARED_BY = 4;

/** What most screens need is one file, without what the small file that runs first has already. */
function modulesOfConsole(modules: Modules): ReadonlySet<string> {
  const first = withImports(FIRST, modules);
  const found = withImports(CONSOLE, modules).union(withImports(LIST, modules));
  const pages = [...first].flatMap((id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? []).map((id) => withImports(id, modules));
  const shared = pages.flatMap((page) => [...page]).filter((id) => pages.filter((page) => page.has(id)).length >= SHARED_BY);
  return found.union(new Set(shared)).difference(first);
}

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

let ofConsole: ReadonlySet<string> | undefined;

// oxlint-disable-next-line import/no-default-export -- Vite reads no other
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  clearScreen: false,
  logLevel: 'error',
  plugins: [nameConsole],
  // The libraries and we are written for React. Preact has the same interface, and a tenth of its size (decision 0057).
  resolve: {
    alias: [
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
      { find: 'react-dom/client', replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
    ],
  },
  // The policy of the page admits no style and no script but files of this server.
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    cssMinify: 'lightningcss',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: (id, modules) => ((ofConsole ??= modulesOfConsole(modules)).has(id) ? 'console' : null) }],
        },
      },
    },
  },
});
