import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoBase64URL,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers'
import { InvalidArgumentError } from 'fastify-accounts'
import type { ImportReader } from 'fastify-accounts/features'
import { algorithms, type NewPasskey, transportsIn } from './ceremony.js'
import { type Columns, columnsOf, isObject } from './columns.js'
import { coseKey } from './cose-key.js'
import { identityKey, mostPasskeys, type Passkey } from './passkey.js'

/**
 * Passkeys of other systems, for `npx fastify-accounts import`: rows of better-auth, and of systems that store what
 * SimpleWebAuthn returns; and of django-allauth, where they are a second factor.
 */
export const passkeyReader: ImportReader = (values, since) => {
  const read = values.map((value) => readPasskey(value, since))
  const passkeys = new Map(read.map((passkey) => [passkey.id, passkey]))
  if (passkeys.size > mostPasskeys)
    throw new InvalidArgumentError(`has ${passkeys.size} passkeys; at most ${mostPasskeys} are allowed`)
  return {
    credentials: [...passkeys.values()],
    identityKeys: [...passkeys.keys()].map(identityKey),
    ...(values.some(isRegistration) && { factors: ['passkey'] }),
  }
}

function readPasskey(value: unknown, since: string): Passkey {
  if (!isObject(value)) throw new InvalidArgumentError('is not a passkey')
  const column = columnsOf(value)
  const passkey = isRegistration(value) ? fromRegistration(value.credential) : fromRow(column)
  checkKey(passkey.publicKey)
  const name = column('name', 'nickname', 'label', 'userlabel', 'devicename', 'friendlyname')
  return {
    kind: 'passkey',
    ...passkey,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : 'Passkey',
    createdAt: timeOf(column('createdat', 'created', 'createdon', 'createddate', 'regdate')) ?? since,
    lastUsedAt: timeOf(column('lastusedat', 'lastused', 'lastuse')),
    // The other system's name for the account doesn't matter: the credential id finds it.
    handle: null,
  }
}

type Made = NewPasskey & Pick<Passkey, 'use'>

/** Whether it holds the browser's response, as django-allauth stores it. */
const isRegistration = (value: unknown): value is { credential: object } =>
  isObject(value) && isObject(value.credential) && 'response' in value.credential

/** Whether it can be synced isn't read: the authenticator says so at its first use, and other systems may be wrong. */
function fromRow(column: Columns): Made {
  const id = bytesOf(column('publickeycredentialid', 'webauthnid', 'externalid', 'descriptorid', 'id'))
  const publicKey = bytesOf(column('publickey'))
  const counter = Number(column('counter', 'signcount', 'signaturecount', 'signaturecounter') ?? 0)
  if (id === null || id.length > mostIdBytes || publicKey === null)
    throw new InvalidArgumentError('lacks a credential id or a public key')
  if (!Number.isSafeInteger(counter) || counter < 0) throw new InvalidArgumentError('has an invalid counter')
  return {
    id: isoBase64URL.fromBuffer(id),
    publicKey: isoBase64URL.fromBuffer(coseKey(publicKey)),
    counter,
    transports: transportsIn(wordsOf(column('transports', 'transport', 'authenticatortransports'))),
    use: 'login',
    backupEligible: null,
    backedUp: /^(1|t|true)$/i.test(String(column('backedup', 'isbackedup', 'backupstate', 'backupstatus'))),
  }
}

/** As many as fit in the 1000 characters that requests accept. */
const mostIdBytes = 750

/** Of a list, or of words with anything in between. Enumerations are in capitals. */
const wordsOf = (transports: unknown): string[] =>
  String(transports ?? '')
    .toLowerCase()
    .replaceAll('_', '-')
    .match(/[a-z-]+/g) ?? []

/** The browser's response, as django-allauth stores it. */
function fromRegistration(credential: unknown): Made {
  const { response, clientExtensionResults } = credential as {
    response?: { attestationObject?: unknown; transports?: unknown }
    clientExtensionResults?: { credProps?: { rk?: unknown } }
  }
  try {
    const object = decodeAttestationObject(bytesOf(response?.attestationObject) ?? new Uint8Array())
    const data = parseAuthenticatorData(object.get('authData'))
    if (data.credentialID === undefined || data.credentialPublicKey === undefined) throw new Error('no key')
    return {
      id: isoBase64URL.fromBuffer(data.credentialID),
      publicKey: isoBase64URL.fromBuffer(data.credentialPublicKey),
      counter: data.counter,
      transports: transportsIn(response?.transports),
      use: clientExtensionResults?.credProps?.rk === true ? 'login' : 'factor',
      backupEligible: data.flags.be,
      backedUp: data.flags.bs,
    }
  } catch (error) {
    throw new InvalidArgumentError('is not a readable registration', { cause: error })
  }
}

function checkKey(publicKey: string): void {
  let key: ReadonlyMap<number, unknown>
  try {
    // The library's type has the labels of only one kind of key at a time.
    key = decodeCredentialPublicKey(isoBase64URL.toBuffer(publicKey)) as unknown as typeof key
    if (!(key instanceof Map)) throw new Error('no map')
  } catch (error) {
    throw new InvalidArgumentError('has a public key that is not a COSE key', { cause: error })
  }
  const algorithm = key.get(3)
  if (!algorithms.includes(algorithm as number)) {
    const names = algorithms.join(', ')
    throw new InvalidArgumentError(`has a key of the COSE algorithm ${algorithm}; supported are ${names}`)
  }
  // The type, and the parameters of every kind of key.
  if (![1, -1, -2].every((label) => key.has(label)))
    throw new InvalidArgumentError('has an incomplete public key')
}

/** Of base64 in both alphabets, hex, PEM, a list of bytes, or Node's buffers in JSON. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (isObject(value)) {
    const bytes = Array.isArray(value.data) ? value.data : Object.values(value)
    return bytes.length > 0 && bytes.every(isByte) ? Uint8Array.from(bytes) : null
  }
  if (typeof value !== 'string' || isUuid(value)) return null
  if (/^\d{1,3}(,\d{1,3})+$/.test(value)) return bytesOf(value.split(',').map(Number))
  const text = value.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const hex = text.replace(/^(\\x|0x)/, '')
  if (hex !== text || isHex(text)) return isHexPairs(hex) ? Uint8Array.from(Buffer.from(hex, 'hex')) : null
  // One character alone is no byte.
  return /^[\w+/-]{2,}=*$/.test(text) ? Uint8Array.from(Buffer.from(text, 'base64')) : null
}

const isHexPairs = (text: string): boolean => /^([\da-f]{2})+$/i.test(text)

/** Credential ids and keys have at least 16 bytes: in base64 they wouldn't have as many characters of one case alone. */
const isHex = (text: string): boolean => /^(([\da-f]{2}){16,}|([\dA-F]{2}){16,})$/.test(text)

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256

/** The id of a row, which reads as base64, too. */
const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

function timeOf(value: unknown): string | null {
  const isText = typeof value === 'string' && !/^[\d.]+$/.test(value)
  const time = new Date(isText ? inUtc(value) : milliseconds(value))
  // Neither before 1970, which stands for never, nor unreadable.
  return time.getTime() > 0 ? time.toISOString() : null
}

/** PostgreSQL and MySQL write times without a zone, which are UTC. */
const inUtc = (text: string): string =>
  /(Z|UTC|GMT.*|[+-]\d\d(:?\d\d)?)$/.test(text) && !/^[\d-]+$/.test(text) ? text : `${text}Z`

/** SQLite has seconds, JavaScript milliseconds: fewer of those than this are before March 1973. */
const mostSeconds = 1e11
const milliseconds = (value: unknown): number =>
  Number(value) < mostSeconds ? Number(value) * 1000 : Number(value)
