/** Characters that nobody sees would make two addresses look like one. */
const EMAIL = /^[^\s@\p{Cc}\p{Cf}]{1,64}@[^\s@.\p{Cc}\p{Cf}]+(?:\.[^\s@.\p{Cc}\p{Cf}]+)*$/u;
const MAX_EMAIL_CHARACTERS = 254;

/** True for an e-mail address that people read without doubt. */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(text);
