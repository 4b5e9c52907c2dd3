import { as, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import type { DeletionPlan, Feature } from '../src/features/index.js'
import { AccountsError, apiKeys, createMemoryUserStore } from '../src/index.js'

/** A feature that does something along with deletions. */
const club = (deletion: NonNullable<Feature['deletion']>, name = 'club'): Feature => ({ name, deletion })

/** An app with such features, and somebody who is logged in. */
async function member(...features: Feature[]) {
  const service = await testApp({ features })
  const { id } = await signUp(service)
  const cookie = await logIn(service)
  const leave = () => service.send('DELETE', '/me/', undefined, as(cookie))
  const isThere = async () => (await service.users.findById(id)) !== null
  return { ...service, id, leave, isThere }
}

describe('what a feature does along with a deletion', () => {
  test('happens before the account goes, and after it', async () => {
    const seen: string[] = []
    const world = await member(
      club(async () => ({
        async before() {
          seen.push(`before ${await world.isThere()}`)
          return true
        },
        async after() {
          seen.push(`after ${await world.isThere()}`)
        },
      })),
    )
    expect((await world.leave()).statusCode).toBe(204)
    expect(seen).toEqual(['before true', 'after false'])
  })

  test('is planned anew until nothing changes meanwhile, for a user and for the app’s own code', async () => {
    let plans = 0
    const plan = async (): Promise<DeletionPlan> => {
      plans += 1
      const isLast = plans % 3 === 0
      return { before: async () => isLast }
    }
    const first = await member(club(plan))
    expect((await first.leave()).statusCode).toBe(204)
    expect(plans).toBe(3)
    const second = await member(club(plan))
    expect(await second.app.accounts.deleteUser(second.id)).toBe(true)
    expect(plans).toBe(6)
  })

  test('gives up with 409 if it keeps changing', async () => {
    const world = await member(club(async () => ({ before: async () => false })))
    const response = await world.leave()
    expect(response.json()).toMatchObject({ code: 'ACCOUNTS_CONFLICT', reason: 'changed_meanwhile' })
    await expect(world.app.accounts.deleteUser(world.id)).rejects.toMatchObject({
      reason: 'changed_meanwhile',
    })
    expect(await world.isThere()).toBe(true)
  })

  test('may be to refuse it, before any feature has removed anything', async () => {
    const removed: string[] = []
    const world = await member(
      club(async () => ({ before: async () => removed.push('club') > 0 })),
      club(async () => {
        throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
      }, 'society'),
    )
    expect((await world.leave()).json()).toMatchObject({ statusCode: 409, reason: 'limit_reached' })
    await expect(world.app.accounts.deleteUser(world.id)).rejects.toMatchObject({ reason: 'limit_reached' })
    expect([await world.isThere(), removed]).toEqual([true, []])
  })

  test('may be to delete the user itself, with what the user store would get', async () => {
    const users = createMemoryUserStore()
    const calls: unknown[][] = []
    const features = [
      club(async () => ({
        async deleteStored(...deletion) {
          calls.push(deletion)
          return calls.length > 1 && users.delete(...deletion)
        },
      })),
    ]
    const service = await testApp({ features, userStore: users })
    const { id } = await signUp({ ...service, users })
    const cookie = await logIn(service)
    const version = (await users.findById(id))?.version
    expect((await service.send('DELETE', '/me/', undefined, as(cookie))).statusCode).toBe(204)
    expect(calls.map(([userId, , , expectedVersion]) => [userId, expectedVersion])).toEqual([
      [id, version],
      [id, version],
    ])
    expect(await users.findById(id)).toBeNull()
  })

  test('does not undo it if what comes after fails', async () => {
    const world = await member(
      club(async () => ({
        after: async () => {
          throw new AccountsError('ACCOUNTS_UNAVAILABLE')
        },
      })),
    )
    expect((await world.leave()).statusCode).toBe(204)
    expect(await world.isThere()).toBe(false)
  })

  test('covers service accounts of the app', async () => {
    const kinds: string[] = []
    const note = club(async ({ kind }) => {
      kinds.push(kind)
      return null
    })
    const service = await testApp({ features: [apiKeys({ scopes: ['read'] }), note] })
    const { id } = await service.app.accounts.createService({ username: 'reports' })
    expect(await service.app.accounts.deleteUser(id)).toBe(true)
    expect(kinds).toEqual(['service'])
  })
})
