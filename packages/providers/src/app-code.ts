import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AccountsError } from 'fastify-accounts'
import { openSealed, type SpendOnce, seal } from 'fastify-accounts/features'
import type { AppIdentity } from './app-identity.js'
import type { AppLogin } from './app-login.js'

/** How long an app has to send a code, in milliseconds. */
const lifetime = 60_000

/** What a flow of an app has proved. It travels in a `Location`, so it is kept short. */
type Proven = AppLogin | AppIdentity

interface Sealed {
  /** Works once. */
  id: string
  challenge: string
  end: number
}

/** What flows have proved on its way to an app, each sealed in a code. */
export interface AppCodes {
  make(proven: Proven, challenge: string): string
  /**
   * Uses up a code.
   * @param purpose of the flow: a code is of no use for another one
   * @param verifier the text behind its challenge
   * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED if it is another one, and for every code that is of no use
   */
  redeem<Purpose extends Proven['purpose']>(
    purpose: Purpose,
    code: string,
    verifier: string,
  ): Promise<Extract<Proven, { purpose: Purpose }>>
}

/** @param keys the first seals, all open */
export function createAppCodes(spend: SpendOnce, keys: readonly [Buffer, ...Buffer[]]): AppCodes {
  return {
    make(proven, challenge) {
      const id = randomBytes(16).toString('base64url')
      const sealed: Proven & Sealed = { ...proven, id, challenge, end: Date.now() + lifetime }
      return seal(keys[0], JSON.stringify(sealed))
    },

    async redeem(purpose, code, verifier) {
      const text = openSealed(keys, code)
      const proven = text === null ? null : (JSON.parse(text) as Proven & Sealed)
      // The verifier first: who only has seen the code can't use it up.
      const isValid = proven !== null && Date.now() < proven.end && isBehind(verifier, proven.challenge)
      if (
        !isValid ||
        !isFor(purpose, proven) ||
        !(await spend(`app-code:${proven.id}`, new Date(proven.end)))
      )
        throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
      return proven
    },
  }
}

const isFor = <Purpose extends Proven['purpose']>(
  purpose: Purpose,
  proven: Proven & Sealed,
): proven is Extract<Proven, { purpose: Purpose }> & Sealed => proven.purpose === purpose

/** RFC 7636 section 4.6. */
function isBehind(verifier: string, challenge: string): boolean {
  const [digest, expected] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return digest.length === expected.length && timingSafeEqual(digest, expected)
}
