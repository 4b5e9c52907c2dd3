import { newSession, sessionStoreCases } from '@fastify-accounts/testing'
import { expect, test } from 'vitest'
import { createMemorySessionStore } from '../../src/defaults/memory-session-store.js'

for (const { name, run } of sessionStoreCases(createMemorySessionStore)) test(name, run)

test('deleteExpired returns the exact count, and yields to other work in between', async () => {
  const store = createMemorySessionStore()
  const past = new Date(Date.now() - 1000)
  for (let index = 0; index < 20_001; index++) {
    await store.create(
      newSession({ id: `id-${index}`, expiresAt: index % 2 ? past : new Date(Date.now() + 60_000) }),
    )
  }
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  expect(await store.deleteExpired(new Date())).toBe(10_000)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(await store.listByUser('user-1')).toHaveLength(10_001)
})
