import * as declared from 'scrypt-kdf'

/** scrypt-kdf 4 is declared with named exports, but actually exports a default object. */
export const scrypt: typeof declared = (declared as unknown as { default: typeof declared }).default
