/** The longest time for which an access token works. */
export const MAX_TOKEN_DAYS = 365;
