/** The longest time for which a rotated secret stays valid, and the default (contract §7.4). */
export const MAX_ROTATION_DAYS = 7;
