import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoBase64URL,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers'
import { InvalidArgumentError } from 'fastify-accounts'
import type { ImportReader } from 'fastify-accounts/features'
import { algorithms, type NewPasskey, transportsIn } from './ceremony.js'
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
  const areFactor = values.some(
    (value) => typeof value === 'object' && value !== null && 'credential' in value,
  )
  return {
    credentials: [...passkeys.values()],
    identityKeys: [...passkeys.keys()].map(identityKey),
    ...(areFactor && { factors: ['passkey'] }),
  }
}

function readPasskey(value: unknown, since: string): Passkey {
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError('is not a passkey')
  const given = value as Record<string, unknown>
  const { name, createdAt = given.created_at, lastUsedAt = given.last_used_at } = given
  const made = given.credential === undefined ? fromRow(given) : fromRegistration(given.credential)
  checkKey(made.publicKey)
  return {
    kind: 'passkey',
    ...made,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : 'Passkey',
    createdAt: timeOf(createdAt) ?? since,
    lastUsedAt: timeOf(lastUsedAt),
    // The other system's name for the account doesn't matter: the credential id finds it.
    handle: null,
  }
}

type Made = NewPasskey & Pick<Passkey, 'use'>

function fromRow(row: Record<string, unknown>): Made {
  const { credentialID: id = row.id, publicKey, counter, transports, deviceType, backedUp } = row
  const bytes = bytesOf(publicKey)
  const count = Number(counter ?? 0)
  if (typeof id !== 'string' || !/^[\w-]{1,1000}=*$/.test(id) || bytes === null)
    throw new InvalidArgumentError('lacks a credential id or a public key')
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('has an invalid counter')
  return {
    id: id.replaceAll('=', ''),
    publicKey: isoBase64URL.fromBuffer(bytes),
    counter: count,
    transports: transportsIn(typeof transports === 'string' ? transports.split(',') : transports),
    use: 'login',
    backupEligible: deviceType === 'multiDevice',
    backedUp: [true, 1, 't', 'true'].includes(backedUp as boolean),
  }
}

/** The browser's answer, as django-allauth stores it. */
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
  } catch (error) {
    throw new InvalidArgumentError('has a public key that is not a COSE key', { cause: error })
  }
  const algorithm = key.get(3)
  if (!algorithms.includes(algorithm as number)) {
    const known = algorithms.join(', ')
    throw new InvalidArgumentError(`has a key of the COSE algorithm ${algorithm}; supported are ${known}`)
  }
  // The type, and the parameters of every kind of key.
  if (![1, -1, -2].every((label) => key.has(label)))
    throw new InvalidArgumentError('has an incomplete public key')
}

/** Accepts both base64 alphabets. */
function bytesOf(text: unknown): Uint8Array<ArrayBuffer> | null {
  if (typeof text !== 'string' || !/^[\w+/-]+=*$/.test(text)) return null
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

function timeOf(value: unknown): string | null {
  // PostgreSQL writes times without a zone, which are UTC.
  const text = typeof value === 'string' && !/(Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value
  const time = typeof text === 'string' || typeof text === 'number' ? new Date(text) : null
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString()
}
