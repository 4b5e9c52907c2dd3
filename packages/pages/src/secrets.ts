import type { Typed } from './typed.js'

/** Names of fields. Own fields such as `postal_code` are none. */
const secret = /password|token$|^(?:(?:email|recovery)_)?code$|(?:^|[-_])response$/

/** What was typed that may be shown again and kept: without passwords, codes, and the answers of captchas and passkeys. */
export const withoutSecrets = (typed: Typed): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !secret.test(name)))
