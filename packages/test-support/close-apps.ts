import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'

// Few tests close their app, whose timers keep it in memory: a process that files share would hold gigabytes.
const apps = new Set<FastifyInstance>()
const created = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  apps.add(fastify)
  fastify.addHook('onClose', async () => void apps.delete(fastify))
}
channel('fastify.initialization').subscribe(created)

afterAll(() => {
  channel('fastify.initialization').unsubscribe(created)
  // Not waited for: one that hangs does so on purpose.
  for (const app of apps) app.close().catch(() => {})
})
