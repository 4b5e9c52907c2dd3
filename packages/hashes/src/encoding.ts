/**
 * Decodes base64 text, with or without padding.
 * @returns `null` unless it is the canonical spelling: Node's decoder skips unknown characters
 */
export function fromBase64(text: string, padding: 'padded' | 'bare'): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const canonical = bytes.toString('base64')
  return (padding === 'padded' ? canonical : canonical.replaceAll('=', '')) === text ? bytes : null
}

/** An integer as written in settings: no sign, no leading zero, at most ten digits. */
export function toCount(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}
