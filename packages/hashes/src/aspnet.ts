import { fromBase64 } from './encoding.js'
import type { ForeignHashes } from './foreign-hashes.js'
import { checkDigest, type Digest, type DigestCost, pbkdf2Kind } from './pbkdf2.js'

/** By the number in the hash. */
const digests: readonly Digest[] = ['sha1', 'sha256', 'sha512']

/** The defaults of ASP.NET Core: version 2's 1,000 iterations make a key of two digests; before and since .NET 7. */
const usual = { sha1: 2000, sha256: 10_000, sha512: 100_000 }

/**
 * ASP.NET Core Identity, base64 that begins with `AQAAAA` (version 3) or `A` (version 2, with SHA-1). Each digest is a
 * separate kind.
 * @param cost `digest`: `sha512` by default, as since .NET 7, `sha256` before; `iterations`: by default ASP.NET's,
 *   100,000 with SHA-512 and 10,000 with SHA-256
 * @throws RangeError with one line that names the option
 */
export function aspnetIdentity({ digest = 'sha512', iterations }: DigestCost = {}): ForeignHashes {
  checkDigest('aspnetIdentity', digest)
  return pbkdf2Kind('aspnetIdentity', digest, iterations ?? usual[digest], (hash) => {
    const bytes = fromBase64(hash, 'padded')
    if (bytes === null) return null
    if (bytes[0] === 0) {
      if (bytes.length !== 49 || digest !== 'sha1') return null
      return { iterations: 1000, salt: bytes.subarray(1, 17), key: bytes.subarray(17) }
    }
    if (bytes[0] !== 1 || bytes.length < 45 || digests[bytes.readUInt32BE(1)] !== digest) return null
    const end = 13 + bytes.readUInt32BE(9)
    // Salts of 16 bytes and more; pbkdf2Kind checks the rest.
    if (end < 29 || bytes.readUInt32BE(5) === 0) return null
    return { iterations: bytes.readUInt32BE(5), salt: bytes.subarray(13, end), key: bytes.subarray(end) }
  })
}
