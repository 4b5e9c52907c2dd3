import { newUser } from '@fastify-accounts/testing'
import { createMemoryUserStore, type NewUser } from 'fastify-accounts'
import { describe, expect, test } from 'vitest'
import { replacementName } from '../src/identifiers/address-name.js'
import { isRemainder } from '../src/users/replace.js'

/** What is left of a replaced account whose deletion failed. */
const remainder = (): NewUser =>
  newUser({
    ...replacementName(),
    email: null,
    emailKey: null,
    isActive: false,
    isVerified: false,
    passwordHash: '!',
    credentials: [],
    identityKeys: [],
  })

describe('what delete-unverified takes for the rest of a replaced account', () => {
  const found = async (changes: Partial<NewUser>) =>
    isRemainder(await createMemoryUserStore().create({ ...remainder(), ...changes }))

  test('is one that nobody can log in to, or have an address of', async () => {
    expect(await found({})).toBe(true)
  })

  test.each<[string, Partial<NewUser>]>([
    ['with a name of its own', { username: 'ada', usernameKey: 'ada' }],
    ['with a name that looks like one', { username: 'user-ada', usernameKey: 'user-ada' }],
    ['without a name', { username: null, usernameKey: null, email: 'a@b.example', emailKey: 'a@b.example' }],
    ['with an address', { email: 'ada@example.org', emailKey: 'ada@example.org' }],
    ['that is active', { isActive: true }],
    ['that has proven its address', { isVerified: true }],
    ['with a password', { passwordHash: 'hash' }],
    [
      'with a credential',
      { credentials: [{ kind: 'totp', id: 'a', createdAt: '2026-01-01T00:00:00.000Z' }] },
    ],
    ['with a login of a provider', { identityKeys: ['oidc:a'] }],
  ])('is no account %s', async (_, changes) => {
    expect(await found(changes)).toBe(false)
  })
})
