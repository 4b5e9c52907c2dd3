import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts a text (AES-256-GCM with a fresh nonce), as base64url.
 * @param context what it is for: it opens for nothing else
 */
export function seal(key: Buffer, text: string, context = ''): string {
  const nonce = randomBytes(nonceLength)
  const sealer = createCipheriv(cipher, key, nonce, { authTagLength: tagLength })
  sealer.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([sealer.update(text), sealer.final()])
  return Buffer.concat([nonce, sealer.getAuthTag(), sealed]).toString('base64url')
}

/** The text; `null` if it was not sealed with one of these keys and this context, or was changed. */
export function openSealed(keys: readonly Buffer[], sealed: string, context = ''): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  // The last character of base64url has unused bits.
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== sealed) return null
  for (const key of keys) {
    const text = openWith(key, bytes, context)
    if (text !== null) return text
  }
  return null
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | null {
  const opener = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  opener.setAAD(Buffer.from(context))
  opener.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  const text = opener.update(bytes.subarray(nonceLength + tagLength))
  try {
    return Buffer.concat([text, opener.final()]).toString()
  } catch {
    // Another key, or changed.
    return null
  }
}
