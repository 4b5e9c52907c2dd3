import type { Configuration } from 'openid-client'
import { canConfirm, timeOf } from './auth-time.js'
import { forLog } from './issuer-errors.js'
import type { Claims, Profile, Provider, ProviderResponse } from './provider.js'
import { standardProfile, withPlainTexts } from './standard-profile.js'
import { methodsOf } from './who.js'

/** The user who logged in at a provider. */
export interface ReadLogin extends Profile {
  /** What the login proves: `fed`, and `mfa` too if the ID token has a sufficient claim. */
  methods: readonly string[]
  /** The login time; `null` if the provider doesn't report it, or can't require a new login. */
  authenticatedAt: Date | null
}

/** @param idToken its claims, which are signed and belong to this login; `claims` may have more */
export type LoginReader = (
  config: Configuration,
  idToken: Claims,
  response: ProviderResponse,
  warn: (line: string) => void,
) => Promise<ReadLogin>

/** Reads who logged in. It warns once if the provider doesn't say clearly whether addresses are verified. */
export function createLoginReader(provider: Provider): LoginReader {
  let hasWarned = false
  return async (config, idToken, response, warn) => {
    const profile = await profileOf(provider, response)
    if (profile.email !== null && !hasWarned && !isClear(profile.emailVerified)) {
      hasWarned = true
      warn(unclearWords(provider.name, profile.emailVerified))
    }
    return {
      ...profile,
      // A string such as 'false' must not pass for true, in `allow` either.
      emailVerified: profile.emailVerified === true,
      methods: methodsOf(provider, idToken),
      authenticatedAt: canConfirm(config, provider.endpoints === undefined)
        ? timeOf(idToken.auth_time)
        : null,
    }
  }
}

/** The user who logged in, from the claims and the provider's own `profile`. */
async function profileOf(
  provider: Provider,
  response: ProviderResponse,
): Promise<Omit<Profile, 'emailVerified'> & { emailVerified: unknown }> {
  const { claims } = response
  const own = (await provider.profile?.(response)) ?? {}
  const standard = standardProfile(claims, provider.issuer)
  // The claims vouch for their own address only.
  const isTheirs = (own.email ?? standard.email) === standard.email
  const emailVerified = 'emailVerified' in own ? own.emailVerified : isTheirs && claims.email_verified
  const profile = withPlainTexts({ ...standard, ...own, issuer: standard.issuer })
  const { subject } = profile
  if (typeof subject === 'number')
    throw new Error(`the subject of ${provider.name} is a number: return String() of it`)
  // OpenID Connect Core 1.0 section 2.
  if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject))
    throw new Error(`${provider.name} did not return a subject`)
  return { ...profile, emailVerified }
}

const isClear = (verified: unknown): boolean =>
  verified === undefined || verified === null || typeof verified === 'boolean'

/** Some providers send a string or a number. Only `true` links an account, so the rest is reported, never guessed. */
function unclearWords(name: string, verified: unknown): string {
  const value = forLog(String(JSON.stringify(verified)), []).slice(0, 40)
  return `accounts: ${name} says whether an address is verified with ${value}, not with true or false: none counts as verified unless its profile returns emailVerified`
}
