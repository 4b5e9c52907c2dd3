/**
 * The bytes of a text in base64, with its padding or without.
 * @returns `null` where it is not the one canonical spelling: the decoder of Node skips what it does not know
 */
export function fromBase64(text: string, padding: 'padded' | 'bare'): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const canonical = bytes.toString('base64')
  return (padding === 'padded' ? canonical : canonical.replaceAll('=', '')) === text ? bytes : null
}

/** A whole number as settings are written: no sign, no leading zero, at most ten digits. */
export function toCount(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}
