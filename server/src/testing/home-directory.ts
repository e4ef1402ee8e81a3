import type { Clock } from '../kit/clock.ts';
import { homeAlone } from '../kit/per-cell.ts';
import { joinDirectories, openCellDirectory, type CellDirectoryOptions, type MerchantDirectory } from '../merchants/index.ts';

/** Opens the merchant directory of a service of one database. */
export const openHomeDirectory = async ({ clock, ...home }: CellDirectoryOptions & { readonly clock: Clock }): Promise<MerchantDirectory> =>
  joinDirectories(homeAlone(await openCellDirectory(home)), clock);
