export { searchManagement } from './search.manage.ts';
