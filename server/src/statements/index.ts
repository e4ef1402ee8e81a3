export { openStatementTurns, type StatementTurns } from './statement-turns.ts';
export { statementManagement } from './statements.manage.ts';
