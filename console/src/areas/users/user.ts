import type { Answer, ItemOf } from '../../api/client.ts';
import type { Tone } from '../../design/values/values.tsx';

/** A user with its sessions. */
export type WholeUser = Answer<'readUser'>['body'];

export const USER_TONES: Readonly<Record<ItemOf<'listUsers'>['state'], Tone>> = { invited: 'info', active: 'good', disabled: 'neutral' };
