import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The purpose of a challenge. A response for one purpose is invalid for another. */
export type Ceremony =
  | 'add-login'
  | 'add-silently'
  | 'add-factor'
  | 'login'
  | 'second-step'
  | 'confirm'
  | 'sign-up'

/** The time to respond to a challenge, in milliseconds. */
export const challengeLifetime = 5 * 60_000

/** An unexpired challenge that was issued here for this ceremony and this browser. */
export interface OpenChallenge {
  ceremony: Ceremony
  /** The key under which it is marked as spent. */
  id: string
  expiresAt: Date
  /** A random name for an account that has none yet: always the same for the same challenge. */
  handle: string
}

/**
 * Self-contained challenges: random bytes, the expiry time, and a MAC over both, the
 * ceremony, its subject, and the browser. So pending challenges need no storage, and each tab has its own.
 */
export interface Challenges {
  /**
   * @param subject what else must match when the response arrives: the account of a logged-in user, or the login
   * that waits for its second step
   * @param browser the value of the browser's cookie
   */
  make(ceremony: Ceremony, subject: string, browser: string): OpenChallenge & { challenge: string }
  /** The challenge, if it is for one of these ceremonies. */
  open(
    challenge: string,
    ceremonies: readonly Ceremony[],
    subject: string,
    browser: string,
  ): OpenChallenge | null
}

const randomLength = 16
const timeLength = 6
const macLength = 32

/** @param keys the first creates challenges, all open them */
export function createChallenges(keys: readonly [Buffer, ...Buffer[]]): Challenges {
  const facts = (ceremony: Ceremony, subject: string, browser: string): string =>
    JSON.stringify([ceremony, subject, browser])

  const macOf = (key: Buffer, head: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(head).update(text).digest()

  function described(key: Buffer, head: Buffer, ceremony: Ceremony): OpenChallenge {
    return {
      ceremony,
      id: head.toString('base64url'),
      expiresAt: new Date(head.readUIntBE(randomLength, timeLength)),
      handle: handleOf(macOf(key, head, 'handle')),
    }
  }

  return {
    make(ceremony, subject, browser) {
      const head = Buffer.alloc(randomLength + timeLength)
      randomBytes(randomLength).copy(head)
      head.writeUIntBE(Date.now() + challengeLifetime, randomLength, timeLength)
      const mac = macOf(keys[0], head, facts(ceremony, subject, browser))
      const challenge = Buffer.concat([head, mac]).toString('base64url')
      return { challenge, ...described(keys[0], head, ceremony) }
    },

    open(challenge, ceremonies, subject, browser) {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== randomLength + timeLength + macLength) return null
      const head = bytes.subarray(0, randomLength + timeLength)
      const mac = bytes.subarray(randomLength + timeLength)
      for (const key of keys) {
        for (const ceremony of ceremonies) {
          if (!timingSafeEqual(macOf(key, head, facts(ceremony, subject, browser)), mac)) continue
          const found = described(key, head, ceremony)
          return found.expiresAt.getTime() > Date.now() ? found : null
        }
      }
      return null
    },
  }
}

/** 192 random bits, as bytes that are text: libraries of native apps that read a user handle as text lose any other. */
function handleOf(mac: Buffer): string {
  return Buffer.from(mac.subarray(0, 24).toString('base64url')).toString('base64url')
}
