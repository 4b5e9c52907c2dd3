import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import { challengeLifetime, type OpenChallenge } from './challenge.js'
import type { Passkey, PasskeyUse } from './passkey.js'
import type { AssertionBody, AttestationBody } from './schemas.js'
import type { PasskeySettings } from './settings.js'

/** EdDSA, ES256 and RS256 (COSE), which authenticators support. */
export const algorithms = [-8, -7, -257]

/** The options for a browser to create a passkey. */
export function creationOptions(
  { rpId }: PasskeySettings,
  site: string,
  asked: {
    challenge: string
    use: PasskeyUse
    handle: string
    username: string
    /** Passkeys that an authenticator may already hold. */
    known: readonly Passkey[]
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { challenge, use, handle, username, known } = asked
  return generateRegistrationOptions({
    rpName: site,
    rpID: rpId,
    userName: username,
    userDisplayName: username,
    userID: isoBase64URL.toBuffer(handle),
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: challengeLifetime,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection:
      use === 'login'
        ? { residentKey: 'required', userVerification: 'required' }
        : { residentKey: 'discouraged', userVerification: 'discouraged' },
    supportedAlgorithmIDs: algorithms,
  })
}

/**
 * The options for a browser to answer with a passkey.
 * @param asked.allowed the accepted ones; none if the browser lets the user choose
 * @param asked.isFactor whether it accompanies another proof: then the authenticator need not verify its owner
 */
export function requestOptions(
  { rpId }: PasskeySettings,
  asked: { challenge: string; allowed: readonly Passkey[]; isFactor: boolean },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: isoBase64URL.toBuffer(asked.challenge),
    timeout: challengeLifetime,
    userVerification: asked.isFactor ? 'preferred' : 'required',
    allowCredentials: asked.allowed.map(({ id, transports }) => ({ id, transports })),
  })
}

/** The authenticator's data about a new passkey. */
export type NewPasskey = Pick<
  Passkey,
  'id' | 'publicKey' | 'counter' | 'transports' | 'backupEligible' | 'backedUp'
>

/**
 * Checks the passkey that a browser created (WebAuthn L3 section 7.1).
 * @param open returns our challenge in it; `null` if it is not ours
 * @returns `null` if any check fails
 */
export async function checkAttestation(
  { rpId, origins }: PasskeySettings,
  response: AttestationBody,
  open: (challenge: string) => OpenChallenge | null,
): Promise<{ passkey: NewPasskey; challenge: OpenChallenge } | null> {
  try {
    const challenge = challengeIn(response.response.clientDataJSON, open)
    if (challenge === null) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutStatement(response) as RegistrationResponseJSON,
      // Already checked.
      expectedChallenge: () => true,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: challenge.ceremony !== 'add-factor',
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
    if (credential.id !== response.id) return null
    return {
      challenge,
      passkey: {
        id: credential.id,
        publicKey: isoBase64URL.fromBuffer(credential.publicKey),
        counter: credential.counter,
        transports: transportsIn(response.response.transports),
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
      },
    }
  } catch {
    // The library throws for each broken rule; it has nothing else that could fail.
    return null
  }
}

/** The authenticator's data at each use. */
export type Assertion = Pick<Passkey, 'counter' | 'backupEligible' | 'backedUp'> & {
  /** Whether it verified its owner by PIN, fingerprint or face. */
  isVerified: boolean
}

/**
 * Checks a passkey's signature (WebAuthn L3 section 7.2). The caller compares the counter.
 * @param passkey `null` if the credential is unknown: the same work is done, and the result is `null`
 * @param isFactor whether the owner is already known, so user presence is enough
 */
export async function checkAssertion(
  { rpId, origins }: PasskeySettings,
  response: AssertionBody,
  passkey: Passkey | null,
  isFactor: boolean,
  open: (challenge: string) => OpenChallenge | null,
): Promise<{ assertion: Assertion; challenge: OpenChallenge } | null> {
  const { publicKey, handle } = passkey ?? decoy
  try {
    const challenge = challengeIn(response.response.clientDataJSON, open)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: !isFactor,
      // The library would throw for a counter that went backwards before checking the signature.
      credential: { id: response.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
    })
    // Authenticators that don't store their passkeys have no user handle (L3 section 7.2 step 6).
    const { userHandle = null } = response.response
    const isOwn = handle === null || userHandle === handle || (isFactor && userHandle === null)
    if (!verified || !isOwn || challenge === null || passkey === null) return null
    return {
      challenge,
      assertion: {
        counter: authenticationInfo.newCounter,
        backupEligible: authenticationInfo.credentialDeviceType === 'multiDevice',
        backedUp: authenticationInfo.credentialBackedUp,
        isVerified: authenticationInfo.userVerified,
      },
    }
  } catch {
    return null
  }
}

/** A public key whose private key nobody has: a P-256 point whose x is the SHA-256 of a string. */
const decoy = {
  publicKey:
    'pQECAyYgASFYIIncjq-9-xNI8h6NpmXVCINjG37JURZvYU3JFPo7od-LIlgglig7pfQ50t7M5dY8uFgjPeO8KI9ymuBMish9PXxq47I',
  handle: null,
}

/** Rejects answers from a frame of another site (L3 section 7.1 step 10, 7.2 step 13). */
function challengeIn(
  clientDataJSON: string,
  open: (challenge: string) => OpenChallenge | null,
): OpenChallenge | null {
  const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON)
  return crossOrigin || typeof challenge !== 'string' ? null : open(challenge)
}

/**
 * The answer without the authenticator's attestation statement. None was requested, so its content has
 * no effect, and the certificates of a forged one would make this server fetch the addresses they name.
 */
function withoutStatement(response: AttestationBody): AttestationBody {
  const given = isoCBOR.decodeFirst<Map<string, Uint8Array<ArrayBuffer>>>(
    isoBase64URL.toBuffer(response.response.attestationObject),
  )
  const authData = given.get('authData')
  if (!(authData instanceof Uint8Array)) throw new Error('no authenticator data')
  const kept = isoCBOR.encode(
    new Map<string, CBORType>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  return {
    ...response,
    response: { ...response.response, attestationObject: isoBase64URL.fromBuffer(kept) },
  }
}

type CBORType = Parameters<typeof isoCBOR.encode>[0]

/** Words such as `usb`, as reported by the browser; anything else is dropped. */
export function transportsIn(given: unknown): string[] {
  const words = Array.isArray(given) ? given.filter((each) => /^[a-z-]{1,20}$/.test(each)) : []
  return [...new Set<string>(words)].slice(0, 8)
}
