export { cellManagement } from './cells.manage.ts';
export { createCell, reconnectCell } from './create-cell.ts';
export { CELL_NAME_PATTERN, parseCellNames } from './cell-names.ts';
export { cellOfMerchant, isPlacedElsewhere, placeMerchant, readPlaced, type MerchantReads, type Placing } from './place-merchant.ts';
export { watchCells } from './watch-cells.ts';
export { numberCell, requireNodes, type NodeAnswer } from './number-cell.ts';
export {
  CELL_SECRETS,
  isCellKnown,
  openUrls,
  readCells,
  servedCells,
  UnknownCell,
  type CellRow,
  type CellUrls,
  type ServedCell,
} from './cell-rows.ts';
