export { merchantBrandFacts, networkBrandFacts } from './brand-rows.ts';
export { brandManaged } from './brands.manage.ts';
