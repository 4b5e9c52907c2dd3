import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { SessionDetails } from '../seams/session-store.js'
import type { Credential, StoredUser } from '../user.js'
import { deviceKind, factorState } from './awaiting-factor.js'

/** A device on which an account needs no second factor for a while. Its record can't log anybody in. */
export interface RememberedDevice extends Credential {
  kind: typeof deviceKind
  id: string
  /** RFC 3339. */
  createdAt: string
  browser: string | null
  system: string | null
  /** A digest of the account's state: another password, a lockdown or another factor ends the device. */
  state: string
}

/**
 * Devices that skip the second factor. A separate cookie names the device, signed with a key that isn't in
 * the database. The account lists its devices, so each can be ended.
 */
export interface RememberedDevices {
  /** Milliseconds; 0 if none is remembered. */
  readonly lifetime: number
  /** Whether a text names a device that this account remembers. */
  knows(text: string | undefined, user: StoredUser): boolean
  /** The valid ones, newest first. */
  listOf(user: StoredUser): RememberedDevice[]
  /** The account's credentials with a new device added, and the text for its cookie. */
  add(
    user: StoredUser,
    client: Pick<SessionDetails, 'browser' | 'system'>,
  ): { credentials: Credential[]; text: string }
}

/** The most devices that an account remembers; the oldest are dropped. */
const mostDevices = 20
const idLength = 16

export function createRememberedDevices(
  { secret, session }: Pick<ResolvedOptions, 'secret' | 'session'>,
  lifetime: number,
): RememberedDevices {
  // Bound to the cookie name, as sessions are: each realm has its own keys.
  const keys = deriveKeys(secret, `remembered-device:${session.cookieName}`)
  const mac = (key: Buffer, id: Buffer, user: StoredUser): Buffer =>
    createHmac('sha256', key)
      .update(id)
      .update(`${stateOf(user)}:${user.id}`)
      .digest()

  function listOf(user: StoredUser): RememberedDevice[] {
    const state = stateOf(user)
    const since = Date.now() - lifetime
    return user.credentials
      .filter(isRememberedDevice)
      .filter((device) => device.state === state && Date.parse(device.createdAt) > since)
      .reverse()
  }

  return {
    lifetime,
    listOf,
    knows(text = '', user) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length !== idLength + 32) return false
      const id = bytes.subarray(0, idLength)
      if (!keys.some((key) => timingSafeEqual(mac(key, id, user), bytes.subarray(idLength)))) return false
      return listOf(user).some((device) => device.id === id.toString('base64url'))
    },
    add(user, { browser, system }) {
      const id = randomBytes(idLength)
      const device: RememberedDevice = {
        kind: deviceKind,
        id: id.toString('base64url'),
        createdAt: new Date().toISOString(),
        browser,
        system,
        state: stateOf(user),
      }
      const others = user.credentials.filter((each) => !isRememberedDevice(each))
      const kept = listOf(user)
        .slice(0, mostDevices - 1)
        .reverse()
      const text = Buffer.concat([id, mac(keys[0], id, user)]).toString('base64url')
      return { credentials: [...others, ...kept, device], text }
    },
  }
}

export function isRememberedDevice(credential: Credential): credential is RememberedDevice {
  return credential.kind === deviceKind
}

/** A digest that changes with a new password, lockdown, end of all sessions, disabled account or another factor. */
function stateOf(user: StoredUser): string {
  const facts = [user.id, user.sessionEpoch, user.resetEpoch, factorState(user)]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}
