import type { SessionStore } from '@fastify/session'
import type { Redis } from 'ioredis'

/** One key per session, as JSON; Redis expires it. */
export function createRedisSessions(redis: Redis, prefix: string, lifetime: number): SessionStore {
  return {
    get(id, callback) {
      redis.get(prefix + id).then((text) => callback(null, text === null ? null : JSON.parse(text)), callback)
    },
    set(id, session, callback) {
      redis.set(prefix + id, JSON.stringify(session), 'PX', lifetime).then(() => callback(), callback)
    },
    destroy(id, callback) {
      redis.del(prefix + id).then(() => callback(), callback)
    },
  }
}
