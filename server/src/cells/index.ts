export { createCell, type CreateCell, type CreateCellRefusal } from './create-cell.ts';
export { parseCellNames } from './cell-names.ts';
export { isPlacedElsewhere, placeMerchant } from './place-merchant.ts';
export { CELL_SECRETS, readServedCells, type ServedCell } from './cell-rows.ts';
