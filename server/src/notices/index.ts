export type { NewNotice } from './notice.ts';
export { writeNotices } from './write-notices.ts';
