import { type KeyObject, sign } from 'node:crypto'
import type { OwnProfile, Provider, ProviderResponse } from '../provider.js'
import { fail } from '../settings.js'
import { readAppleKey } from './apple-key.js'
import { type PresetOptions, preset } from './preset.js'

/** Options of the preset for Apple. */
export interface AppleOptions extends PresetOptions {
  /** The Services ID. */
  clientId: string
  /** The ten characters of your team. */
  teamId: string
  /** The ten characters of the key. */
  keyId: string
  /**
   * The text of the .p8 file. Client secrets are signed with it. Line breaks may be escaped as `\n` or missing, and the
   * whole may be in base64, as environment variables have it.
   */
  privateKey: string
}

const issuer = 'https://appleid.apple.com'

/** The lifetime of a client secret, in seconds: a new one is created for each use. Apple accepts up to six months. */
const secretLifetime = 5 * 60

/**
 * Apple. It vouches for its relay addresses, which are created for your app only.
 * @throws Error with one line that names the option
 */
export function apple(options: AppleOptions): Provider {
  const { name = 'apple', clientId, teamId, keyId, privateKey } = options
  for (const [key, value] of Object.entries({ teamId, keyId })) {
    if (typeof value !== 'string' || !/^[A-Z0-9]{10}$/.test(value))
      fail(`${name}.${key}`, `must be ten capital letters and digits, got ${value}`)
  }
  const key = readAppleKey(privateKey)
  if (typeof key === 'string') fail(`${name}.privateKey`, `must be the content of the key’s .p8 file, ${key}`)
  const provider = {
    name: 'apple',
    label: 'Apple',
    issuer,
    scopes: ['openid', 'email', 'name'],
    // Required if an address or a name is requested.
    parameters: { response_mode: 'form_post' },
    clientSecret: () => makeSecret(key, { teamId, keyId, clientId }),
    authoritativeFor: ['privaterelay.appleid.com'],
    profile: readProfile,
  }
  return preset(provider, options, ['teamId', 'keyId', 'privateKey'])
}

function makeSecret(
  key: KeyObject,
  { teamId, keyId, clientId }: Pick<AppleOptions, 'teamId' | 'keyId' | 'clientId'>,
): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: teamId, iat: now, exp: now + secretLifetime, aud: issuer, sub: clientId }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'ES256', kid: keyId })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** The name comes alongside the ID token, unsigned, and only when a user first consents. */
function readProfile({ claims, parameters }: ProviderResponse): OwnProfile {
  // A string from some of Apple's servers, a boolean from others.
  const emailVerified = claims.email_verified === true || claims.email_verified === 'true'
  return { emailVerified, name: nameOf(parameters.get('user')) }
}

function nameOf(user: string | null): string | null {
  try {
    const { firstName, lastName } = JSON.parse(user ?? '').name
    const parts = [firstName, lastName].filter((part) => typeof part === 'string')
    return parts.join(' ').trim()
  } catch {
    return null
  }
}
