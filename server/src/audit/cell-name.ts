import { Type } from 'typebox';
import { CELL_NAME_PATTERN, HOME_NAME } from '../cells/index.ts';

/** The name of a cell, whose acts have a chain of their own. */
export const cellName = Type.String({ pattern: CELL_NAME_PATTERN, description: 'The name of the cell.', examples: [HOME_NAME] });
