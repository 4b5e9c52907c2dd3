import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { InvalidArgumentError } from '../../../seams/store-errors.js'

/** Marks a value in an import file that better-auth encrypted. */
export const betterAuth = 'better-auth:'

/** Opens what better-auth encrypted. */
export type BetterAuthOpener = (sealed: string) => string

const nonceLength = 24
const tagLength = 16

/**
 * Opens better-auth's `symmetricEncrypt`: XChaCha20-Poly1305 with the SHA-256 of a secret, nonce first, in
 * hexadecimal; with rotated secrets after `$ba$<version>$`.
 * @param env has its secrets, under the names that better-auth reads: BETTER_AUTH_SECRET, and
 * BETTER_AUTH_SECRETS as `2:new,1:old`
 */
export function createBetterAuthOpener(env: NodeJS.ProcessEnv): BetterAuthOpener {
  const versions = new Map(
    (env.BETTER_AUTH_SECRETS ?? '').split(',').map((entry): [string, string] => {
      const at = entry.indexOf(':')
      return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
    }),
  )
  return (sealed) => {
    const [, version, rest] = /^\$ba\$(\d+)\$(.*)$/.exec(sealed) ?? []
    const name = version === undefined ? 'BETTER_AUTH_SECRET' : `version ${version} of BETTER_AUTH_SECRETS`
    const secret = version === undefined ? env.BETTER_AUTH_SECRET : versions.get(version)
    // Fails the whole import, not one line: nobody may be imported without the factor that they have.
    if (!secret) throw new Error(`better-auth encrypted secrets in the file: set ${name} in the environment`)
    const text = openWith(hash('sha256', secret, 'buffer'), rest ?? sealed)
    if (text === null) throw new InvalidArgumentError(`does not open under ${name}`)
    return text
  }
}

function openWith(key: Buffer, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'hex')
  if (bytes.length * 2 !== sealed.length || bytes.length < nonceLength + tagLength) return null
  // XChaCha20: ChaCha20, its key derived from the nonce's first 16 bytes (draft-irtf-cfrg-xchacha-03).
  const nonce = Buffer.concat([Buffer.alloc(4), bytes.subarray(16, nonceLength)])
  const opener = createDecipheriv('chacha20-poly1305', hChaCha20(key, bytes.subarray(0, 16)), nonce, {
    authTagLength: tagLength,
  })
  opener.setAuthTag(bytes.subarray(-tagLength))
  const text = opener.update(bytes.subarray(nonceLength, -tagLength))
  try {
    return Buffer.concat([text, opener.final()]).toString()
  } catch {
    // Another secret, or changed.
    return null
  }
}

/**
 * The rounds of ChaCha20 without the final addition (section 2.2): a block of its key stream, with the added
 * words subtracted again.
 */
function hChaCha20(key: Buffer, nonce: Buffer): Buffer {
  const block = createCipheriv('chacha20', key, nonce).update(Buffer.alloc(64))
  const taken = (from: number, added: Buffer): Buffer => {
    const words = Buffer.alloc(16)
    for (let at = 0; at < 16; at += 4)
      words.writeUInt32LE((block.readUInt32LE(from + at) - added.readUInt32LE(at)) >>> 0, at)
    return words
  }
  return Buffer.concat([taken(0, Buffer.from('expand 32-byte k')), taken(48, nonce)])
}
