/** A token or key of ours, as received, possibly forged. */
export interface Bearer {
  kind: BearerKind
  text: string
}

/** An access token, a refresh token, or an API key. */
export type BearerKind = keyof typeof bearerPrefixes

/** How ours begin, so that scanners for leaked secrets find them, and a host's own tokens aren't taken for ours. */
export const bearerPrefixes = { access: 'fat_', refresh: 'far_', key: 'fa_' } as const

/**
 * The token or key in an Authorization header (RFC 6750 section 2.1), if it has one of ours.
 * @param kinds which of them this mount has
 */
export function bearerIn(header: string | undefined, kinds: readonly BearerKind[]): Bearer | null {
  if (header === undefined || !/^bearer /i.test(header)) return null
  const text = header.slice('bearer '.length).trim()
  const kind = kinds.find((each) => text.startsWith(bearerPrefixes[each]))
  return kind === undefined ? null : { kind, text }
}
