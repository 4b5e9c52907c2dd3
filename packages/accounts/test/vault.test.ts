import { describe, expect, test } from 'vitest'
import { createVault } from '../src/tokens/vault.js'

const [first, second] = ['the first secret, long enough to seal', 'the second secret, long enough too']
const credentials = (sealed: string) => [
  { kind: 'totp', id: 'app', sealed, step: 7 },
  { kind: 'passkey', id: 'key', publicKey: 'public' },
]

describe('a vault', () => {
  const old = createVault([first])
  const both = createVault([second, first])
  const only = createVault([second])

  test('opens what any of its secrets sealed, and seals the same value differently each time', () => {
    const sealed = old.seal('JBSWY3DP')
    expect(sealed).not.toContain('JBSWY3DP')
    expect(old.seal('JBSWY3DP')).not.toBe(sealed)
    expect([old.open(sealed), both.open(sealed)]).toEqual(['JBSWY3DP', 'JBSWY3DP'])
  })

  test.each([
    ['sealed with a secret that is gone', old.seal('JBSWY3DP'), 'add the old secret back'],
    ['that was changed', `${only.seal('JBSWY3DP').slice(0, -6)}AAAAAA`, 'was changed in the database'],
    ['that was never sealed', 'JBSWY3DP', 'which no secret'],
  ])('throws "unavailable" for a value %s, and never returns it empty', (_, sealed, cause) => {
    expect(() => only.open(sealed)).toThrow(
      expect.objectContaining({
        code: 'ACCOUNTS_UNAVAILABLE',
        cause: expect.objectContaining({ message: expect.stringContaining(cause) }),
      }),
    )
  })

  test('reseals values with the newest secret, and leaves the rest unchanged', () => {
    const [app, key] = both.reseal(credentials(old.seal('JBSWY3DP'))) ?? []
    expect(app).toMatchObject({ kind: 'totp', id: 'app', step: 7 })
    expect(only.open(String(app?.sealed))).toBe('JBSWY3DP')
    expect(key).toEqual({ kind: 'passkey', id: 'key', publicKey: 'public' })
    expect(both.reseal([app, key].filter((each) => each !== undefined))).toBeNull()
    expect(both.reseal([])).toBeNull()
    expect(() => only.reseal(credentials(old.seal('JBSWY3DP')))).toThrow(
      expect.objectContaining({ code: 'ACCOUNTS_UNAVAILABLE' }),
    )
  })
})
