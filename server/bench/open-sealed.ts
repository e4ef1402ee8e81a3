// Node loads this file before a server: its driver then opens what sealColumns sealed.
import { types } from 'pg';
import { openText } from './sealed-columns.ts';

const { TEXT, JSON: JSON_TEXT } = types.builtins;
types.setTypeParser(TEXT, openText);
types.setTypeParser(JSON_TEXT, (text) => JSON.parse(openText(text)) as unknown);
