import * as declared from 'scrypt-kdf'

/** scrypt-kdf 4 is declared as a set of exported functions, but all that it exports is a default object of them. */
export const scrypt: typeof declared = (declared as unknown as { default: typeof declared }).default
