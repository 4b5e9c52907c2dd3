import { goodPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, test, vi } from 'vitest'
import { callDeadline, createMemorySessionStore } from '../src/index.js'
import { firstState } from '../src/sessions/generations.js'

/** Maximum sessions per user. */
const cap = 100

test("sessions beyond the cap are deleted in batches, and the login doesn't wait for thousands", async () => {
  const service = await testApp()
  await signUp(service)
  const user = await service.users.findByUsername('alice')
  const userId = user?.id ?? ''
  for (let n = 0; n < 2000; n += 1) {
    const createdAt = new Date(Date.now() - 60_000 - n)
    await service.sessions.create({
      id: `imported-${n}`,
      userId,
      epoch: 0,
      createdAt,
      lastSeenAt: createdAt,
      expiresAt: new Date(Date.now() + 60_000),
      details: null,
      methods: [],
      confirmedAt: null,
      ...firstState,
    })
  }
  let atOnce = 0
  let most = 0
  let deleted = 0
  let goOn = (): void => {}
  const rest = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const remove = service.sessions.delete
  service.sessions.delete = async (id) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    await new Promise(setImmediate)
    if (deleted >= 5) await rest
    atOnce -= 1
    deleted += 1
    return remove(id)
  }
  const login = () => service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect((await login()).statusCode).toBe(200)
  expect(deleted).toBe(5)
  // A simultaneous login doesn't start the same work again.
  expect((await login()).statusCode).toBe(200)
  goOn()
  const isLeft = async (count: number) =>
    expect(await service.sessions.listByUser(userId)).toHaveLength(count)
  await vi.waitFor(() => isLeft(cap + 1), 60_000)
  expect(most).toBeLessThanOrEqual(5)
  expect((await login()).statusCode).toBe(200)
  await vi.waitFor(() => isLeft(cap), 60_000)
  const kept = (await service.sessions.listByUser(userId)).map(({ id }) => id)
  expect(kept).toContain('imported-0')
  expect(kept).not.toContain('imported-1999')
})

test('a login lists the sessions only if there may be too many', async () => {
  const service = await testApp()
  await signUp(service)
  const { create, listByUser } = service.sessions
  let listed = 0
  service.sessions.listByUser = (userId) => {
    listed += 1
    return listByUser(userId)
  }
  const login = async () => {
    const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(response.statusCode).toBe(200)
  }
  for (let n = 0; n < cap; n += 1) await login()
  expect(listed).toBe(0)
  await login()
  expect(listed).toBe(1)
  // A store that doesn't count.
  service.sessions.create = async (session) => {
    await create(session)
    return undefined
  }
  await service.sessions.deleteByUser((await service.users.findByUsername('alice'))?.id ?? '')
  await login()
  expect(listed).toBe(2)
})

test('FLT-18 a store can read the deadline of its call, and there is none outside the call', async () => {
  const sessions = createMemorySessionStore()
  const service = await testApp({ adapterTimeout: 4000, sessionStore: sessions })
  const told: number[] = []
  const find = service.users.findByUsername
  service.users.findByUsername = (key) => {
    told.push(callDeadline() - performance.now())
    return find(key)
  }
  await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(told).toHaveLength(1)
  expect(told[0]).toBeLessThanOrEqual(3750)
  expect(told[0]).toBeGreaterThan(3000)
  expect(callDeadline()).toBe(Number.POSITIVE_INFINITY)
})
