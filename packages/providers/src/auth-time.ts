import type { Configuration } from 'openid-client'

/** OpenID Connect Core 1.0 section 5.5: otherwise a provider includes it only if the request has `max_age`. */
export const askForAuthTime = JSON.stringify({ id_token: { auth_time: { essential: true } } })

export function listsAuthTime(config: Configuration): boolean {
  return config.serverMetadata().claims_supported?.includes('auth_time') === true
}

/**
 * Whether an issuer may report the login time: if it lists its claims, that must be one of them.
 * @param isOpenId otherwise there is no ID token to report it
 */
export function canConfirm(config: Configuration, isOpenId: boolean): boolean {
  return isOpenId && (config.serverMetadata().claims_supported === undefined || listsAuthTime(config))
}

/** The claim `auth_time`. */
export function timeOf(seconds: unknown): Date | null {
  const at = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN)
  // Outside the range of a date, it would compare as neither older nor newer.
  return Number.isNaN(at.getTime()) ? null : at
}
