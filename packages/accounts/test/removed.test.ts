import { expect, test } from 'vitest'
import { createLanguages, sharedTexts } from '../src/languages/languages.js'
import { removedLines, removedSentence } from '../src/languages/removed.js'
import { freshUser, type StoredUser, type UserChanges } from '../src/user.js'
import { removedBy } from '../src/users/removed.js'

const devices = { listOf: () => [] }
const user: StoredUser = {
  ...freshUser({ username: 'ada', usernameKey: 'ada' }),
  ...{ id: '1', version: 1, factors: ['totp'] },
  credentials: [
    { kind: 'passkey', id: 'a', name: 'Your old phone: call 555-0100' },
    { kind: 'totp', id: 'b', name: 'Mine' },
    { kind: 'recovery-code', id: 'c' },
    { kind: 'recovery-code', id: 'c' },
    { kind: 'login-code', id: 'd' },
    { kind: 'api-key', id: 'e', name: 'Call 555-0100' },
  ],
  identityKeys: ['passkey:a', 'oidc:https://id.example.org|1', 'key:e'],
}
const removed = (changes: UserChanges) => removedBy(user, changes, devices)
const language = (tag: string) => createLanguages([tag], sharedTexts).fallback

test('counts what a change removes, by kind', () => {
  expect(removed({ credentials: [], identityKeys: [] })).toEqual({
    passkeys: 1,
    apps: 1,
    recovery_codes: 2,
    identities: 1,
    api_keys: 1,
    remembered_devices: 0,
  })
  expect(removed({ passwordHash: 'new', sessionEpoch: 1 })).toBeNull()
  expect(removed({ credentials: user.credentials.toSpliced(4, 1) })).toBeNull()
  expect(removed({ credentials: [...user.credentials, { kind: 'passkey', id: 'f' }] })).toBeNull()
})

test.each([
  [
    'en',
    ['1 passkey', '1 authenticator app', '2 recovery codes', '1 login with another provider', '1 API key'],
  ],
  [
    'de',
    [
      '1 Passkey',
      '1 Authenticator-App',
      '2 Wiederherstellungscodes',
      '1 Anmeldung über einen anderen Anbieter',
      '1 API-Schlüssel',
    ],
  ],
  [
    'fr',
    [
      '1\u00a0clé d’accès',
      '1\u00a0application d’authentification',
      '2\u00a0codes de récupération',
      '1\u00a0connexion par un autre fournisseur',
      '1\u00a0clé d’API',
    ],
  ],
])('says it in %s with the number and the kind, never a name', (tag, lines) => {
  const all = removed({ credentials: [], identityKeys: [] })
  if (all === null) throw new Error('nothing was removed')
  expect(removedLines(language(tag), all)).toEqual(lines)
  const sentence = removedSentence(language(tag), all)
  for (const line of lines) expect(sentence).toContain(line)
  expect(sentence).not.toContain('555')
})
