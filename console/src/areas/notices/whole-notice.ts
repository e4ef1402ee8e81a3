import type { Answer } from '../../api/client.ts';

/** All that is stored of a notice. */
export type WholeNotice = Answer<'readNotice'>['body'];
/** What every part of the page of a notice is about. */
export type NoticeProps = { readonly notice: WholeNotice };
