import type { SealedAddresses } from '../sealed-address.js'
import { withoutSecrets } from '../secrets.js'
import type { Typed } from '../typed.js'

/** Characters of a query: what is longer is left to be typed again, but for the address. */
const longest = 1500

/** What was typed to sign up, in the URL of the page after it: for another email, and to change it. */
export interface KeptValues {
  seal(typed: Typed): string
  /** `null` if it isn't ours, or is older than a day. */
  open(sealed: unknown): Typed | null
}

export function keptValues({ seal, open }: SealedAddresses): KeptValues {
  return {
    seal({ next: _, way: __, ...typed }) {
      const whole = seal(JSON.stringify(withoutSecrets(typed)), 'sign-up')
      return whole.length <= longest ? whole : seal(JSON.stringify({ email: typed.email }), 'sign-up')
    },
    open(sealed) {
      const text = open(sealed, 'sign-up')
      return text === null ? null : JSON.parse(text)
    },
  }
}
