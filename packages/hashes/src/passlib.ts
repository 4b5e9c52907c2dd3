import { createHash, createHmac } from 'node:crypto'
import { type BcryptOptions, bcryptKind } from './bcrypt.js'
import { fromBase64, toCount } from './encoding.js'
import type { ForeignHashes } from './foreign-hashes.js'
import { checkDigest, type DigestCost, pbkdf2Kind } from './pbkdf2.js'

/** passlib's own defaults. */
const usual = { sha1: 131_000, sha256: 29_000, sha512: 25_000 }
const names = { sha1: 'pbkdf2', sha256: 'pbkdf2-sha256', sha512: 'pbkdf2-sha512' }

/**
 * passlib's PBKDF2: `$pbkdf2-sha256$29000$<salt>$<hash>`, `$pbkdf2-sha512$…`, and `$pbkdf2$…` with SHA-1. Each digest is
 * a separate kind.
 * @param cost `digest`: `sha256` by default; `iterations`: by default passlib's, 29,000 with SHA-256
 * @throws RangeError with one line that names the option
 */
export function passlibPbkdf2({ digest = 'sha256', iterations }: DigestCost = {}): ForeignHashes {
  checkDigest('passlibPbkdf2', digest)
  return pbkdf2Kind('passlibPbkdf2', digest, iterations ?? usual[digest], (hash) => {
    const [, name, count, salt = '', key = ''] =
      /^\$(pbkdf2(?:-sha\d+)?)\$(\d+)\$([A-Za-z0-9./]{1,1366})\$([A-Za-z0-9./]+)$/.exec(hash) ?? []
    if (name !== names[digest]) return null
    const rounds = toCount(count)
    const [saltBytes, keyBytes] = [fromAdapted(salt), fromAdapted(key)]
    if (rounds === null || saltBytes === null || keyBytes === null) return null
    return { iterations: rounds, salt: saltBytes, key: keyBytes }
  })
}

/** passlib's base64 has `.` for `+`. */
function fromAdapted(text: string): Buffer | null {
  return fromBase64(text.replaceAll('.', '+'), 'bare')
}

/**
 * passlib's bcrypt of a SHA-256, `$bcrypt-sha256$v=2,t=2b,r=12$<salt>$<hash>`, and its older form
 * `$bcrypt-sha256$2b,12$<salt>$<hash>`. Needs the package @node-rs/bcrypt.
 * @param cost `cost`: 12 by default, as in passlib
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function passlibBcryptSha256({ cost = 12 }: Pick<BcryptOptions, 'cost'> = {}): ForeignHashes {
  return bcryptKind('passlibBcryptSha256', cost, (hash) => {
    const [, settings = '', salt = '', key = ''] =
      /^\$bcrypt-sha256\$([^$]+)\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/.exec(hash) ?? []
    const [, version, ident, rounds] = /^(v=2,t=)?(2[ab]),(?:r=)?(\d{1,2})$/.exec(settings) ?? []
    if (ident === undefined || rounds === undefined) return null
    if (settings !== (version ? `v=2,t=${ident},r=${rounds}` : `${ident},${rounds}`)) return null
    return {
      bcrypt: `$${ident}$${rounds.padStart(2, '0')}$${salt}${key}`,
      prepare: (password) =>
        (version ? createHmac('sha256', salt) : createHash('sha256')).update(password).digest('base64'),
    }
  })
}
