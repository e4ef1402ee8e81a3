export { createCell, type CreateCell, type CreateCellRefusal } from './create-cell.ts';
export { CELL_NAME_PATTERN, HOME_NAME, parseCellNames } from './cell-names.ts';
export { isPlacedElsewhere, placeMerchant } from './place-merchant.ts';
export { CELL_SECRETS, readCells, readServedCells, type ServedCell } from './cell-rows.ts';
