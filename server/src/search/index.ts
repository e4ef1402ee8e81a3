export { findCommand } from './find.cli.ts';
