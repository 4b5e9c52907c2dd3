import type { Typed } from '../form-page.js'
import { sealedAddress } from '../sealed-address.js'
import { withoutSecrets } from '../secrets.js'
import type { Site } from '../site.js'

/** Characters of a query: what is longer is left to be typed again, but for the address. */
const longest = 1500

/** What was typed to sign up, in the URL of the page after it: for another email, and to change it. */
export interface KeptValues {
  seal(typed: Typed): string
  /** `null` if it isn't ours, or is older than a day. */
  open(sealed: unknown): Typed | null
}

/** Make it once, at start. */
export function keptValues(site: Site): KeptValues {
  const { seal, open } = sealedAddress(site)
  return {
    seal({ next: _, way: __, ...typed }) {
      const whole = seal('sign-up', JSON.stringify(withoutSecrets(typed)))
      return whole.length <= longest ? whole : seal('sign-up', JSON.stringify({ email: typed.email }))
    },
    open(sealed) {
      const text = open('sign-up', sealed)
      return text === null ? null : JSON.parse(text)
    },
  }
}
