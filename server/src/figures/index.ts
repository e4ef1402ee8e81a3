export { countFigures } from './figures.job.ts';
export { figureManaged } from './figures.manage.ts';
export { figureChecks } from './verify-figures.ts';
