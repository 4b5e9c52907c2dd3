import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { passkeyOrigin, passkeySite } from './names.js'

/** A client's passkey. All passkeys of one client share a key, since creating keys is not what is measured. */
export interface Passkey {
  id: string
  /** WebAuthn's `user.id`. */
  handle: string
}

/** What a browser and its authenticator do together (WebAuthn L3), with ES256 and without attestation. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinates = [x, y].map((each) => Buffer.from(each, 'base64url'))
  // COSE, in CBOR: EC2, ES256, P-256, x, y.
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    coordinates[0] as Buffer,
    Buffer.from('225820', 'hex'),
    coordinates[1] as Buffer,
  ])

  return {
    create(challenge: string, handle: string): { passkey: Passkey; response: object } {
      const id = randomBytes(20)
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([header(0x45), Buffer.alloc(16), length, id, key])
      // CBOR: fmt "none", attStmt {}, authData of fewer than 256 bytes.
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, authData.length]),
        authData,
      ]).toString('base64url')
      const clientDataJSON = clientData('webauthn.create', challenge).toString('base64url')
      const passkey = { id: id.toString('base64url'), handle }
      return { passkey, response: credential(passkey.id, { clientDataJSON, attestationObject }) }
    },

    get(challenge: string, { id, handle }: Passkey): object {
      const authData = header(0x05)
      const data = clientData('webauthn.get', challenge)
      return credential(id, {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature(privateKey, authData, data),
        userHandle: handle,
      })
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

function credential(id: string, response: object): object {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
}

/** The authenticator data without a key; the counter is 0. */
function header(flags: number): Buffer {
  const hash = createHash('sha256').update(passkeySite).digest()
  return Buffer.concat([hash, Buffer.from([flags, 0, 0, 0, 0])])
}

function clientData(type: string, challenge: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin: passkeyOrigin, crossOrigin: false }))
}

function signature(key: KeyObject, authData: Buffer, data: Buffer): string {
  const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
  return sign('sha256', signed, key).toString('base64url')
}
