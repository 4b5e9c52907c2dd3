import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { TokenContext, TokenSigner } from '../seams/token-signer.js'

const version = 1
const headLength = 11
const macLength = 32
/** 32 characters of state: 75 bytes, 100 characters. */
const maxTokenLength = 100
/** RFC 2104, section 3: a key shorter than the hash's output weakens the MAC. In bytes. */
const minSecretLength = 32

/**
 * Signs links with HMAC-SHA-256 (RFC 2104), with a key for each purpose derived from each secret by HKDF-SHA-256 (RFC
 * 5869). A token is base64url of: version (1 byte), `issuedAt` and `expiresAt` (5 bytes each, seconds, rounded
 * down), `state`, MAC (32 bytes): 87 characters with a state of 22, at most 100.
 *
 * @param options.secret one secret, or several for rotation: the first signs, all verify. Each at least 32
 * bytes from a random source
 * @throws TypeError, RangeError with one line, if a secret is missing, too short, too uniform or given twice;
 * `sign` rejects with InvalidArgumentError for claims that do not fit
 */
export function createHmacSigner(options: { secret: string | readonly string[] }): TokenSigner {
  const secrets = checkedSecrets(options.secret)
  const keyOf = (secret: string, purpose: TokenContext['purpose']): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `fastify-accounts link ${purpose}`, macLength))

  function mac(key: Buffer, { purpose, audience, subject }: TokenContext, payload: Buffer): Buffer {
    const hmac = createHmac('sha256', key)
    // Each part is prefixed with its length, so no two contexts make the same bytes.
    for (const part of [Buffer.from(purpose), Buffer.from(audience), Buffer.from(subject), payload]) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      hmac.update(length).update(part)
    }
    return hmac.digest()
  }

  return {
    async sign(claims) {
      const { purpose, audience, subject, state } = claims
      if (![purpose, audience, subject, state].every(isText)) {
        throw new InvalidArgumentError('purpose, audience, subject and state must be well-formed strings')
      }
      if (!/^[\w.~-]{0,32}$/.test(state)) {
        throw new InvalidArgumentError('state must be at most 32 URL-safe characters')
      }
      const payload = Buffer.alloc(headLength + state.length)
      payload.writeUInt8(version)
      payload.writeUIntBE(seconds('issuedAt', claims.issuedAt), 1, 5)
      payload.writeUIntBE(seconds('expiresAt', claims.expiresAt), 6, 5)
      payload.write(state, headLength, 'ascii')
      const key = keyOf(secrets[0], purpose)
      return Buffer.concat([payload, mac(key, claims, payload)]).toString('base64url')
    },

    async verify(token, context) {
      const { purpose, audience, subject } = context
      // UTF-8 would encode all unpaired surrogates as the same character.
      if (!isText(token) || token.length > maxTokenLength || ![purpose, audience, subject].every(isText))
        return null
      const bytes = Buffer.from(token, 'base64url')
      // The decoder skips unknown characters: only the canonical spelling is a token.
      if (bytes.length < headLength + macLength || bytes.toString('base64url') !== token) return null
      const payload = bytes.subarray(0, -macLength)
      const signature = bytes.subarray(-macLength)
      const isOf = (secret: string): boolean =>
        timingSafeEqual(mac(keyOf(secret, purpose), context, payload), signature)
      if (!secrets.some(isOf)) return null
      return {
        purpose,
        audience,
        subject,
        state: payload.toString('ascii', headLength),
        issuedAt: new Date(payload.readUIntBE(1, 5) * 1000),
        expiresAt: new Date(payload.readUIntBE(6, 5) * 1000),
      }
    },
  }
}

function checkedSecrets(option: string | readonly string[]): [string, ...string[]] {
  const [first, ...others] = [option ?? []].flat()
  if (first === undefined) throw new TypeError('createHmacSigner: secret must hold at least one secret')
  const secrets: [string, ...string[]] = [first, ...others]
  for (const secret of secrets) {
    if (!isText(secret)) throw new TypeError('createHmacSigner: each secret must be a well-formed string')
    if (Buffer.byteLength(secret) < minSecretLength) {
      throw new RangeError(`createHmacSigner: each secret must be at least ${minSecretLength} bytes long`)
    }
    // Four different characters or fewer: 32 zeros, or a pattern typed by hand.
    if (new Set(secret).size < 5) throw new RangeError('createHmacSigner: each secret must be random')
  }
  if (new Set(secrets).size < secrets.length)
    throw new RangeError('createHmacSigner: the same secret is listed twice')
  return secrets
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}

function seconds(name: string, date: Date): number {
  const value = Math.floor(date.getTime() / 1000)
  if (!(value >= 0 && value < 2 ** 40)) throw new InvalidArgumentError(`${name} must be a time from 1970 on`)
  return value
}
