import type { Statement } from './statement.ts';

const WRITES = /\b(?:insert into|delete from|update\s+(?:\w+\s+)*set|truncate)\b/;

/** True for a statement that writes. */
export const isWrite = ({ text }: Pick<Statement, 'text'>): boolean => WRITES.test(text);
