import { hash } from 'node:crypto'
import { AccountsError } from 'fastify-accounts'
import * as oidc from 'openid-client'
import { timeOf } from './auth-time.js'
import { createConnection } from './connection.js'
import { failedLogin } from './issuer-errors.js'
import type { Provider } from './provider.js'
import type { LoginReader, ReadLogin } from './read-login.js'

/** What an app got from the SDK of a provider. */
export interface SdkLogin {
  idToken: string
  /** The text whose SHA-256 the app gave to the SDK. */
  nonce: string
  /** What the SDK says of the user beside the ID token, unsigned: Apple's has a name there. */
  user?: string | undefined
}

/** A login proved by an ID token. */
export interface IdTokenLogin extends ReadLogin {
  /** Of the provider: an SDK gives none that could be kept. */
  tokens: null
  /**
   * What it says of when the user logged in at the provider: signed, so it counts even if the issuer doesn't list the claim,
   * as Apple. `null` if it says nothing.
   */
  authTime: Date | null
  /** The same for every form of this ID token. */
  id: string
  /** When it expires. */
  end: Date
}

/** See `Issuer.check`. */
export type CheckIdToken = (login: SdkLogin, warn: (line: string) => void) => Promise<IdTokenLogin>

/** Milliseconds for which an ID token may be valid: Apple's are for a day. Used ones are remembered until they expire. */
const longestLife = 7 * 86_400_000

/**
 * An SDK puts the nonce into the ID token as the app gave it. If that is a digest, the ID token alone, from a log or
 * another server, is worth nothing to whoever finds it.
 * @param deadline milliseconds for each request to the provider
 */
export function createIdTokenCheck(provider: Provider, read: LoginReader, deadline: number): CheckIdToken {
  const { name, label = name, issuer, appAudiences } = provider
  // An ID token is checked for one client id, as by that client.
  const connections = new Map(
    appAudiences?.map((clientId) => [
      clientId,
      createConnection({ ...provider, clientId, clientSecret: undefined }, deadline),
    ]),
  )

  return async ({ idToken, nonce, user }, warn) => {
    if (connections.size === 0) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    try {
      const audience = audiencesOf(idToken).find((each) => connections.has(each))
      const config = await connections.get(audience ?? '')?.configuration()
      if (config === undefined) throw new Error(`the ID token is for none of ${name}.appAudiences`)
      oidc.useIdTokenResponseType(config)
      const response = new URL(`#${new URLSearchParams({ id_token: idToken })}`, issuer)
      const claims = await oidc.implicitAuthentication(config, response, hash('sha256', nonce, 'hex'))
      const end = claims.exp * 1000
      if (end > Date.now() + longestLife) throw new Error('the ID token is valid for more than a week')
      const parameters = new URLSearchParams(user === undefined ? {} : { user })
      const login = await read(config, claims, { claims, parameters, get: getNothing }, warn)
      // What is signed: a signature has several spellings.
      const id = idToken.slice(0, idToken.lastIndexOf('.'))
      return { ...login, tokens: null, authTime: timeOf(claims.auth_time), id, end: new Date(end) }
    } catch (error) {
      throw failedLogin(label, error, [idToken, nonce])
    }
  }
}

/** For whom an ID token says that it is, before it's checked. */
function audiencesOf(idToken: string): string[] {
  const [, payload = ''] = idToken.split('.')
  try {
    const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud?: unknown }
    return [aud].flat().filter((each) => typeof each === 'string')
  } catch {
    return []
  }
}

async function getNothing(): Promise<never> {
  throw new Error('an app sends no access token, so `profile` can get nothing')
}
