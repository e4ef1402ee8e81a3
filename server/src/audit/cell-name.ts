import { Type } from 'typebox';
import { CELL_NAME_PATTERN } from '../cells/index.ts';
import { HOME_NAME } from '../kit/per-cell.ts';

/** The name of a cell, whose acts have a chain of their own. */
export const cellName = Type.String({ pattern: CELL_NAME_PATTERN, description: 'The name of the cell.', examples: [HOME_NAME] });
