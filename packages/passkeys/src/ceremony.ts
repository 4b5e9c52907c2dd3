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
import { Refusal, refusalOf, unknownPasskey } from './refusal.js'
import { attestationIn, isHandle } from './response.js'
import type { AttestationBody } from './schemas.js'
import type { PasskeySettings } from './settings.js'

/** EdDSA, ES256 and RS256 (COSE), which authenticators support. */
export const algorithms = [-8, -7, -257]

/** The options for a browser to create a passkey. */
export function creationOptions(
  { rpId }: PasskeySettings,
  site: string,
  request: {
    challenge: string
    use: PasskeyUse
    /** Whether a password manager adds it without asking, so it verifies nobody. Default `false`. */
    isSilent?: boolean
    handle: string
    username: string
    /** Passkeys that an authenticator may already hold. */
    passkeys: readonly Passkey[]
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { challenge, use, isSilent = false, handle, username, passkeys } = request
  return generateRegistrationOptions({
    rpName: site,
    rpID: rpId,
    userName: username,
    userDisplayName: username,
    userID: isoBase64URL.toBuffer(handle),
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: challengeLifetime,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection:
      use === 'login'
        ? { residentKey: 'required', userVerification: isSilent ? 'preferred' : 'required' }
        : { residentKey: 'discouraged', userVerification: 'discouraged' },
    supportedAlgorithmIDs: algorithms,
  })
}

/**
 * The options for a browser to use a passkey.
 * @param request.allowed the accepted ones; none if the browser lets the user choose
 * @param request.isFactor whether it accompanies another proof: then the authenticator need not verify its owner
 */
export function requestOptions(
  { rpId }: PasskeySettings,
  request: { challenge: string; allowed: readonly Passkey[]; isFactor: boolean },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: isoBase64URL.toBuffer(request.challenge),
    timeout: challengeLifetime,
    userVerification: request.isFactor ? 'preferred' : 'required',
    allowCredentials: request.allowed.map(({ id, transports }) => ({ id, transports })),
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
 */
export async function checkAttestation(
  { rpId, origins }: PasskeySettings,
  body: AttestationBody,
  open: (challenge: string) => OpenChallenge | null,
): Promise<{ passkey: NewPasskey; challenge: OpenChallenge } | Refusal> {
  try {
    const response = attestationIn(body)
    const challenge = challengeIn(response.response.clientDataJSON, origins, open)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutStatement(response),
      // Already checked.
      expectedChallenge: () => true,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserPresence: challenge.ceremony !== 'add-silently',
      // Checked below, for its own reason.
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) throw new Refusal('PASSKEY_INVALID', 'its attestation is invalid')
    const { credential, credentialDeviceType, credentialBackedUp, userVerified } = registrationInfo
    // What is added silently verifies its owner when it logs in (L3 section 5.1.3: such a response may have neither flag).
    const mayBeBare = challenge.ceremony === 'add-factor' || challenge.ceremony === 'add-silently'
    if (!mayBeBare && !userVerified) throw notVerified()
    if (credential.id !== response.id)
      throw new Refusal('PASSKEY_INVALID', 'its id differs from that in the authenticator data')
    return {
      challenge,
      passkey: {
        id: credential.id,
        publicKey: isoBase64URL.fromBuffer(credential.publicKey),
        counter: credential.counter,
        transports: transportsIn(body.response.transports),
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
      },
    }
  } catch (error) {
    // The library throws for each broken rule; it has nothing else that could fail.
    return refusalOf(error)
  }
}

/** The authenticator's data at each use. */
export type Assertion = Pick<Passkey, 'counter' | 'backedUp'> & {
  backupEligible: boolean
  /** Whether it verified its owner by PIN, fingerprint or face. */
  isVerified: boolean
}

/**
 * Checks a passkey's signature (WebAuthn L3 section 7.2). The caller compares the counter.
 * @param passkey `null` if the credential is unknown: the same work is done, and the result is a refusal
 * @param requirements.isIdentified whether the owner was known before, so the authenticator may not name them (step 6)
 * @param requirements.isFactor whether it accompanies another proof, so user presence is enough
 */
export async function checkAssertion(
  { rpId, origins }: PasskeySettings,
  response: AuthenticationResponseJSON,
  passkey: Passkey | null,
  requirements: { isIdentified: boolean; isFactor: boolean },
  open: (challenge: string) => OpenChallenge | null,
): Promise<{ assertion: Assertion; challenge: OpenChallenge } | Refusal> {
  const { publicKey, handle } = passkey ?? decoy
  try {
    const challenge = challengeIn(response.response.clientDataJSON, origins, open)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: () => true,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: false,
      // The library would throw for a counter that went backwards before checking the signature.
      credential: { id: response.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
    })
    if (!verified) throw new Refusal('PASSKEY_SIGNATURE', 'it is signed by another key')
    const { newCounter, credentialDeviceType, credentialBackedUp, userVerified } = authenticationInfo
    if (!requirements.isFactor && !userVerified) throw notVerified()
    checkHandle(response.response.userHandle, handle, requirements.isIdentified)
    return {
      challenge,
      assertion: {
        counter: newCounter,
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
        isVerified: userVerified,
      },
    }
  } catch (error) {
    return passkey === null ? unknownPasskey() : refusalOf(error)
  }
}

/** @param handle `null` if unknown: the credential id then says whose it is */
function checkHandle(userHandle: string | undefined, handle: string | null, isIdentified: boolean): void {
  if (handle === null || (userHandle === undefined && isIdentified)) return
  if (userHandle === undefined) throw new Refusal('PASSKEY_USER_HANDLE', 'it has no user handle')
  if (!isHandle(userHandle, handle))
    throw new Refusal('PASSKEY_USER_HANDLE', 'it has the user handle of another user')
}

const notVerified = () =>
  new Refusal('PASSKEY_NOT_VERIFIED', 'the authenticator has not verified its owner (PIN, fingerprint, face)')

/** A public key whose private key nobody has: a P-256 point whose x is the SHA-256 of a string. */
const decoy = {
  publicKey:
    'pQECAyYgASFYIIncjq-9-xNI8h6NpmXVCINjG37JURZvYU3JFPo7od-LIlgglig7pfQ50t7M5dY8uFgjPeO8KI9ymuBMish9PXxq47I',
  handle: null,
}

/** Rejects responses from other sites and apps, and from a frame in one (L3 section 7.1 steps 9 to 11, 7.2 steps 12 to 14). */
function challengeIn(
  clientDataJSON: string,
  origins: readonly string[],
  open: (challenge: string) => OpenChallenge | null,
): OpenChallenge {
  const { challenge, origin, crossOrigin } = decodeClientDataJSON(clientDataJSON)
  if (!origins.includes(origin))
    throw new Refusal('PASSKEY_ORIGIN', `its origin ${origin} is not among the origins ${origins.join(', ')}`)
  if (crossOrigin) throw new Refusal('PASSKEY_ORIGIN', 'it was used in a frame of another site')
  const opened = typeof challenge === 'string' ? open(challenge) : null
  if (opened !== null) return opened
  throw new Refusal(
    'PASSKEY_CHALLENGE',
    'its challenge has expired, or was made for another purpose, browser or account',
  )
}

/**
 * The response without the authenticator's attestation statement. None was requested, so its content has
 * no effect, and the certificates of a forged one would make this server fetch the addresses they name.
 */
function withoutStatement(response: RegistrationResponseJSON): RegistrationResponseJSON {
  const attestation = isoCBOR.decodeFirst<Map<string, Uint8Array<ArrayBuffer>>>(
    isoBase64URL.toBuffer(response.response.attestationObject),
  )
  const authData = attestation.get('authData')
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
export function transportsIn(value: unknown): string[] {
  const isWord = (each: unknown) => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each)
  return [...new Set<string>(Array.isArray(value) ? value.filter(isWord) : [])].slice(0, 8)
}
