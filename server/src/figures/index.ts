export { countFigures } from './figures.job.ts';
export { figureManagement } from './figures.manage.ts';
export { figureChecks } from './verify-figures.ts';
