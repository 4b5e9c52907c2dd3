import { createPrivateKey, type KeyObject } from 'node:crypto'

/**
 * Reads the text of a .p8 file as environment variables and secret managers pass it on: with line breaks escaped, replaced
 * or missing, in quotes, in base64 once more, or without its first and last line.
 * @returns what is wrong, without any of the text
 */
export function readAppleKey(value: unknown): KeyObject | string {
  if (typeof value !== 'string' || value.trim() === '') return 'got none'
  const text = plain(value)
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1] ?? 'PRIVATE KEY'
  if (label !== 'PRIVATE KEY') return `got a text that begins with BEGIN ${label}`
  const body = text.replaceAll(/-----(BEGIN|END)[A-Z ]*-----/g, '').replaceAll(/\s/g, '')
  if (/\.p8$/.test(body)) return 'got the name of a file'
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(body)) return 'got a text with other characters'
  try {
    const key = createPrivateKey({ key: Buffer.from(body, 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
    return `got a key of another kind (${key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType})`
  } catch {
    return 'got a text that is no key: is it complete?'
  }
}

/** Without quotes and escapes, and decoded if the file was put into base64 as a whole. */
function plain(value: string): string {
  const text = value
    .replaceAll(/\\+[rn]|\\$/gm, '\n')
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return decoded.includes('-----BEGIN') ? decoded : text
}
