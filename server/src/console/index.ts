export { serveConsole } from './serve-console.page.ts';
