import { createHash } from 'node:crypto'
import { callDeadline } from 'fastify-accounts'
import type { Commands } from './client.js'

/** A Lua script: Redis runs nothing else while it runs. Numbers come back as numbers or strings, depending on the client. */
export type Script = (redis: Commands, keys: string[], values: string[]) => Promise<unknown>

/** Sends the script's hash, and its text only if Redis does not know it yet, for example after a restart. */
export function script(lua: string): Script {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (redis, keys, values) => {
    const deadline = callDeadline()
    try {
      return await redis.evalsha(sha, keys, values)
    } catch (error) {
      // Rejected before anything ran, so a second attempt applies it once.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      if (performance.now() >= deadline) throw error
      return redis.eval(lua, keys, values)
    }
  }
}
