import { createHmac } from 'node:crypto'
import { AccountsError } from '../errors.js'
import { deriveKeys } from '../options/secret-keys.js'
import type { Credential } from '../user.js'
import { openSealed, seal } from './seal.js'

/**
 * Encrypts secrets in the database, so reading it is not enough to log in. A sealed value is `<name of the
 * key>.<AES-256-GCM, base64url>`. Keys are derived from the option `secret`; the first one seals.
 */
export interface Vault {
  seal(text: string): string
  /**
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if the key is missing, or the value was changed: an account
   * whose factor is unreadable never counts as one without
   */
  open(sealed: string): string
  /** The credentials with each sealed value under the newest key; `null` if they already are. */
  reseal(credentials: readonly Credential[]): Credential[] | null
}

export function createVault(secrets: readonly string[]): Vault {
  const keys = new Map(deriveKeys(secrets, 'credentials').map((key) => [nameOf(key), key]))
  const [newest] = keys.keys()

  function open(sealed: string): string {
    const [name = '', value = ''] = sealed.split('.')
    const key = keys.get(name)
    const text = key && openSealed([key], value)
    if (typeof text === 'string') return text
    const cause = new Error(
      key === undefined
        ? `a credential is sealed under the key ${name}, which no secret in the option secret has: add the old secret back, last in the list`
        : 'a sealed credential was changed in the database',
    )
    throw new AccountsError('ACCOUNTS_UNAVAILABLE', { cause })
  }

  const vault: Vault = {
    seal: (text) => `${newest}.${seal(keys.get(newest as string) as Buffer, text)}`,
    open,
    reseal(credentials) {
      const isOld = ({ sealed }: Credential) => typeof sealed === 'string' && !sealed.startsWith(`${newest}.`)
      if (!credentials.some(isOld)) return null
      return credentials.map((each) =>
        isOld(each) ? { ...each, sealed: vault.seal(open(each.sealed as string)) } : { ...each },
      )
    },
  }
  return vault
}

/** Identifies a key without revealing anything about it. */
function nameOf(key: Buffer): string {
  return createHmac('sha256', key).update('name').digest('base64url').slice(0, 8)
}
