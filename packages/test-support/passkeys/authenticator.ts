import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

/**
 * An authenticator and a browser in one. A `Twist` makes it do things that no real one would; by default everything is
 * valid.
 */
export interface SoftPasskey {
  id: string
  handle: string
  privateKey: KeyObject
  counter: number
  rpId: string
  origin: string
  flags: Flags
}

/** Flags in the authenticator data (WebAuthn L3 section 6.1). */
export interface Flags {
  present: boolean
  verified: boolean
  backupEligible: boolean
  backedUp: boolean
}

/** Deliberate deviations. */
export interface Twist {
  type?: string
  challenge?: string
  origin?: string
  rpId?: string
  crossOrigin?: boolean
  topOrigin?: string
  flags?: Partial<Flags>
  counter?: number
  id?: string
  userHandle?: string | null
  /** Signs with this key instead. */
  key?: KeyObject
  /** The attestation's format and statement. */
  statement?: { fmt: string; attStmt: CborValue }
  /** The algorithm named in the public key. */
  algorithm?: number
}

const synced: Flags = { present: true, verified: true, backupEligible: true, backedUp: true }
/** As of a security key: those count, what is synced doesn't. */
const bound: Flags = { ...synced, backupEligible: false, backedUp: false }

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

/** Creates a passkey, as a browser on `origin` does. */
export function create(options: CreationOptions, origin: string, twist: Twist = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = twist.id ?? randomBytes(20).toString('base64url')
  const flags = { ...(twist.counter ? bound : synced), ...twist.flags }
  const passkey: SoftPasskey = {
    ...{ id, privateKey, origin, flags },
    handle: options.user.id,
    counter: twist.counter ?? 0,
    rpId: options.rp.id,
  }
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = new Map<CborKey, CborValue>([
    [1, 2],
    [3, twist.algorithm ?? -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const rawId = Buffer.from(id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(rawId.length)
  const authData = Buffer.concat([
    header(twist.rpId ?? passkey.rpId, flags, passkey.counter, 0x40),
    Buffer.alloc(16),
    ...[length, rawId, cbor(key)],
  ])
  const { fmt, attStmt } = twist.statement ?? { fmt: 'none', attStmt: new Map() }
  const attestation = new Map<CborKey, CborValue>([
    ['fmt', fmt],
    ['attStmt', attStmt],
    ['authData', authData],
  ])
  const response = {
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: {
      clientDataJSON: clientData('webauthn.create', options.challenge, origin, twist).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    },
  }
  return { passkey, response }
}

/** Signs a challenge. Increments the counter, unless it is 0. */
export function get(passkey: SoftPasskey, options: { challenge: string }, twist: Twist = {}) {
  if (passkey.counter > 0) passkey.counter += 1
  const flags = { ...passkey.flags, ...twist.flags }
  const authData = header(twist.rpId ?? passkey.rpId, flags, twist.counter ?? passkey.counter, 0)
  const clientDataJSON = clientData('webauthn.get', options.challenge, passkey.origin, twist)
  const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()])
  const id = twist.id ?? passkey.id
  const userHandle = twist.userHandle === undefined ? passkey.handle : twist.userHandle
  return {
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: {
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, twist.key ?? passkey.privateKey).toString('base64url'),
      ...(userHandle !== null && { userHandle }),
    },
  }
}

/** Another key, as a forger would use. */
export function otherKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
}

function header(rpId: string, flags: Flags, counter: number, more: number): Buffer {
  const { present, verified, backupEligible, backedUp } = flags
  const bits = [present && 0x01, verified && 0x04, backupEligible && 0x08, backedUp && 0x10, more]
  const tail = Buffer.alloc(5)
  tail.writeUInt8(bits.reduce<number>((sum, bit) => sum | (bit || 0), 0))
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail])
}

function clientData(type: string, challenge: string, origin: string, twist: Twist): Buffer {
  const { crossOrigin = false, topOrigin } = twist
  const said = {
    type: twist.type ?? type,
    challenge: twist.challenge ?? challenge,
    origin: twist.origin ?? origin,
  }
  return Buffer.from(JSON.stringify({ ...said, crossOrigin, ...(topOrigin && { topOrigin }) }))
}

type CborKey = string | number
export type CborValue = string | number | Buffer | CborValue[] | Map<CborKey, CborValue>

/** Encodes CBOR: the part of RFC 8949 that authenticators use. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 0x100) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
}
