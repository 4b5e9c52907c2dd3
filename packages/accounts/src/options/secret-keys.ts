import { hkdfSync } from 'node:crypto'

/** A key of 32 bytes for one purpose from each secret (HKDF-SHA-256, RFC 5869); the first signs, all verify. */
export function deriveKeys(secrets: readonly string[], purpose: string): [Buffer, ...Buffer[]] {
  const [first = '', ...older] = secrets
  const derive = (secret: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `fastify-accounts/${purpose}`, 32))
  return [derive(first), ...older.map(derive)]
}
