import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/**
 * A public key in COSE, as authenticators return it. Some systems store it as X.509 has it (SPKI, as the browser's
 * `getPublicKey()` does), a point of P-256 (SEC 1), or an RSA key (PKCS #1).
 * @returns the bytes as they are if they are none of these
 */
export function coseKey(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const jwk = jwkOf(bytes)
  const cose = jwk && coseOf(jwk)
  return cose
    ? isoCBOR.encode(new Map(Object.entries(cose).map(([label, value]) => [Number(label), value])))
    : bytes
}

/** The tag of an uncompressed point, and of a sequence in ASN.1. A COSE key begins with neither. */
const [point, sequence] = [0x04, 0x30]

function jwkOf(bytes: Uint8Array): JsonWebKey | null {
  if (bytes[0] === point && bytes.length === 65)
    return { kty: 'EC', crv: 'P-256', x: base64url(bytes.subarray(1, 33)), y: base64url(bytes.subarray(33)) }
  if (bytes[0] !== sequence) return null
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key: Buffer.from(bytes), format: 'der', type }).export({ format: 'jwk' })
    } catch {
      // The other one, or none.
    }
  }
  return null
}

/** RFC 9053 sections 7.1 and 7.2, RFC 8230 section 4. */
function coseOf({
  kty,
  crv,
  x,
  y,
  n,
  e,
}: JsonWebKey): Record<number, number | Uint8Array<ArrayBuffer>> | null {
  if (kty === 'RSA') return { 1: 3, 3: -257, [-1]: bytesOf(n), [-2]: bytesOf(e) }
  if (crv === 'P-256') return { 1: 2, 3: -7, [-1]: 1, [-2]: bytesOf(x), [-3]: bytesOf(y) }
  if (crv === 'Ed25519') return { 1: 1, 3: -8, [-1]: 6, [-2]: bytesOf(x) }
  return null
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const bytesOf = (text: string | undefined): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(text ?? '', 'base64url'))
