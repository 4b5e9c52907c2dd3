import type { AccountOrigin, Credential, JsonValue, NewUser, UserFields } from 'fastify-accounts'
import { hostileTexts, range, scramble, worldlyTexts } from './checks.js'
import { newUser } from './users.js'

/** Around the lengths at which columns end, up to that of a long public key. */
const lengths = [1, 2, 100, 255, 256, 257, 500, 511, 512, 513, 1000, 1023, 1024, 1025, 2000, 4000]

/** Like real ones, but harder to store. */
const oddCredentials: readonly Credential[] = [
  { kind: 'totp', name: 'Ålice’s 😀', sealed: 'k1.YWJj', step: 58_000_001, used: null },
  { kind: 'recovery-code', hash: '"\\\n' },
  { kind: 'recovery-code', hash: '' },
  { kind: 'passkey', transports: ['usb', 'nfc'], nested: { $set: [1, null, {}] }, backupEligible: null },
]

/** In no order, long, of many scripts, and with everything that lists in texts are separated by. */
const roles: readonly string[] = [
  'support',
  'editor',
  'Editor',
  scramble(150, '𝒜𐐷😀'),
  ...worldlyTexts,
  ...hostileTexts,
  ...range(100).map((n) => `role-${(n * 7) % 100}`),
]

/** Objects and lists within each other, under names and of lengths that another user's don't have: a store that merges keeps those. */
const within = (n: number): JsonValue => {
  const own = { [`only_${n}`]: n, lists: [range(n % 2), range((n + 1) % 2)] }
  return { ...own, deeper: { ...own, list: [{ ...own, deepest: own }] } }
}

const origins: readonly AccountOrigin[] = ['staff', 'host', 'import']

const oddFields: UserFields = {
  empty: '',
  nothing: null,
  yes: true,
  no: false,
  zero: 0,
  fraction: 0.1,
  big: Number.MAX_SAFE_INTEGER,
  negative: -1.5,
  list: [1, 'two', [3], {}, null, []],
  nested: { 'a.b': { $set: 1 }, 'a b': "it's" },
  number_like: '007',
  date_like: '2026-01-02T03:04:05.678Z',
  quoted: '"\\\n\t\'',
}

/**
 * A user of whom nothing has its default value: 40 credentials, 30 identities, notes, texts of every length up to the longest,
 * and numbers that 32 bits of floating point don't hold. No two share a value that is unique.
 *
 * @param hasIdentities a store without `findByIdentity` need not keep them
 */
export function fullUser(hasIdentities: boolean): NewUser {
  const { username: name = '' } = newUser()
  const n = Number(name?.slice('User-'.length))
  const text = (length: number) => `${n}-${scramble(length)}`.slice(0, length)
  return {
    kind: n % 2 === 0 ? 'service' : 'unclaimed',
    origin: origins[n % 3] ?? 'import',
    username: [...`${n} ${scramble(150, '𝒜𐐷😀')}`].slice(0, 150).join(''),
    usernameKey: text(255),
    email: `${text(64)}@${scramble(186)}.io`,
    emailKey: `${text(63)}@${scramble(187)}.io`,
    passwordHash: text(1024),
    isVerified: true,
    isStaff: true,
    roles: roles.slice(n % 9),
    isActive: false,
    createdAt: new Date(Date.UTC(2026, 2, 29, 1, 30, n % 60, 123)),
    lastLoginAt: new Date('2038-01-19T03:14:08.123Z'),
    emailChangedAt: new Date('2026-03-04T05:06:07.891Z'),
    sessionEpoch: 16_777_217 + 2 * n,
    resetEpoch: 2_000_000_001 + 2 * n,
    verifyEpoch: 2_147_483_647 - 2 * n,
    fields: { ...oddFields, own: n, within: within(n), texts: lengths.map(text), [`only_${n}`]: text(4000) },
    factors: n % 2 === 0 ? ['totp', 'passkey'] : ['passkey', 'email', 'totp'],
    credentials: [
      ...oddCredentials,
      { kind: 'passkey', within: within(n) },
      ...range(35).map((at) => ({
        kind: 'passkey',
        id: `${at}-${text(lengths[at % lengths.length] ?? 1)}`,
        counter: 4_294_967_295 - at,
        addedAt: 1_793_000_000_123 + at,
      })),
    ],
    identityKeys: hasIdentities
      ? range(30).map((at) => `oidc:https://id.example|${(at * 7) % 30}-${text(1024)}`.slice(0, 1024))
      : [],
    notes: {
      ...oddFields,
      own: n,
      within: within(n),
      texts: lengths.map(text),
      [`only_${n}`]: { deep: [{ text: text(4000) }] },
    },
  }
}
