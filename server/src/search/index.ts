export { searchManaged } from './search.manage.ts';
