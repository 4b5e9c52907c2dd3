import type { Claims, Profile } from './provider.js'

/** OpenID Connect Core 1.0 section 5.1. */
export function standardProfile(claims: Claims, issuer: string): Profile {
  return withPlainTexts({
    issuer: plainText(claims.iss, 255) ?? issuer,
    subject: plainText(claims.sub, 255) ?? '',
    email: claims.email as string | null,
    emailVerified: claims.email_verified === true,
    username: claims.preferred_username as string | null,
    name: claims.name as string | null,
    claims,
  })
}

/** They are untrusted, stored with the account, and kept in a cookie. */
export function withPlainTexts(profile: Profile): Profile {
  const { email, username, name } = profile
  return {
    ...profile,
    email: plainText(email, 254),
    username: plainText(username, 150),
    name: plainText(name, 150),
  }
}

function plainText(value: unknown, longest: number): string | null {
  const isKept = typeof value === 'string' && value !== '' && value.length <= longest
  return isKept && value.isWellFormed() && !value.includes('\0') ? value : null
}
