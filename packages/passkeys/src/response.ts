import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AssertionBody, AttestationBody } from './schemas.js'

/**
 * The credential as `toJSON()` writes it in browsers (WebAuthn L3 section 5.1). Libraries of native apps write base64
 * with padding or line breaks, `null` or `''` for nothing, and leave out `rawId` or `type`.
 */
export function assertionIn({ response, ...credential }: AssertionBody): AuthenticationResponseJSON {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    ...idsIn(credential),
    response: {
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      // As given: see `isHandle`.
      ...(userHandle && { userHandle }),
    },
  }
}

/** The same for a new passkey. */
export function attestationIn({ response, ...credential }: AttestationBody): RegistrationResponseJSON {
  const { clientDataJSON, attestationObject } = response
  return {
    ...idsIn(credential),
    response: {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
    },
  }
}

function idsIn({ id, rawId, type }: Omit<AssertionBody, 'response'>) {
  return {
    id: base64url(id),
    rawId: base64url(rawId || id),
    // Any other type is refused by the library.
    type: (type || 'public-key') as 'public-key',
    clientExtensionResults: {},
  }
}

/**
 * Whether a response names the user with this handle. On iOS react-native-passkey gives the authenticator the text of
 * `user.id` instead of its bytes, and returns the authenticator's bytes as text.
 */
export function isHandle(text: string, handle: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return [bytes.toString('base64url'), bytes.toString(), Buffer.from(text).toString('base64url')].includes(
    handle,
  )
}

/** Node.js reads both base64 alphabets, and ignores padding and line breaks. */
function base64url(text: string): string {
  return Buffer.from(text, 'base64').toString('base64url')
}
