import { createHmac } from 'node:crypto'
import { deriveKeys } from '../options/secret-keys.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { UnavailableError } from '../seams/store-errors.js'

const tagged = /^\$pepper\$([\w-]{8})\$(.*)$/s

/**
 * Makes a hasher hash an HMAC-SHA-256 of the password, keyed with the pepper, so the database alone isn't
 * enough to guess passwords. Each hash names its key. A hash without a pepper, or with an older key, is
 * verified and needs a rehash; one whose key is missing doesn't count as a wrong password, because it can't
 * be checked.
 * @param peppers the first is used for new hashes; without any, hashes are made without
 */
export function withPepper(hasher: PasswordHasher, peppers: readonly string[]): PasswordHasher {
  const keys = new Map<string, Buffer>()
  if (peppers.length > 0) {
    const ids = deriveKeys(peppers, 'pepper-id')
    for (const [at, key] of deriveKeys(peppers, 'pepper').entries()) {
      keys.set(ids[at]?.toString('base64url').slice(0, 8) ?? '', key)
    }
  }
  const [current] = keys

  const part = (hash: string): { id: string | undefined; rest: string } => {
    const [, id, rest = hash] = tagged.exec(hash) ?? []
    return { id, rest }
  }
  const mix = (password: string, key: Buffer): string =>
    createHmac('sha256', key).update(password).digest('base64url')

  return {
    async hash(password) {
      if (current === undefined) return hasher.hash(password)
      const [id, key] = current
      return `$pepper$${id}$${await hasher.hash(mix(password, key))}`
    },
    canVerify: (hash) => hasher.canVerify(part(hash).rest),
    async verify(password, hash) {
      const { id, rest } = part(hash)
      if (id === undefined) return hasher.verify(password, rest)
      const key = keys.get(id)
      if (key === undefined) throw new UnavailableError(`no key of the option password.pepper is named ${id}`)
      return hasher.verify(mix(password, key), rest)
    },
    needsRehash(hash) {
      const { id, rest } = part(hash)
      return id !== current?.[0] || hasher.needsRehash(rest)
    },
  }
}
