import type { Statement } from './statement.ts';

const WRITES = /\b(?:insert into|delete from|update\s+(?:\w+\s+)*set|truncate)\b/;

/** True for a statement that writes. */
export const isWriteStatement = ({ text }: Pick<Statement, 'text'>): boolean => WRITES.test(text);
