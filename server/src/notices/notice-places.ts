import { cellOfId } from '../kit/per-cell.ts';

// How far a list of notices is. A cell has its notices in the order of their numbers, which an index has, and which is nearly that of time.
// Numbers of two cells say nothing about time. So a list of several cells is as far in each as the last number that it showed of it. Which
// cell's notice comes next is decided by when both were written.

export type NoticePlaces = readonly (string | null)[];

/** The number before which a list goes on in a cell. Undefined: at its newest. */
export const placeIn = (cell: number, places: NoticePlaces | undefined): bigint | undefined =>
  places?.map((place) => BigInt(place ?? '0')).find((id) => cellOfId(id) === cell);

/** The place just before a notice. */
export const placeBefore = (noticeId: bigint): string => String(noticeId + 1n);

/** The places after some notices that follow a list's places: one for each cell. */
export function placesAfter(noticeIds: readonly bigint[], before: NoticePlaces): NoticePlaces {
  const places = new Map(before.map((place) => [cellOfId(BigInt(place ?? '0')), place]));
  for (const id of noticeIds) places.set(cellOfId(id), String(id));
  return [...places.values()];
}
