import { assertText, InvalidArgumentError, type ThrottleStore } from 'fastify-accounts'
import { createCalls } from './calls.js'
import { script } from './script.js'
import { type RedisStoreOptions, resolveStoreOptions } from './store-options.js'

/** What is no counter counts as absent: a value that somebody spoiled must lock nobody out for ever. */
const prelude = `
local function counter()
  if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return nil end
  local count = redis.call('GET', KEYS[1])
  return #count < 16 and string.find(count, '^%d+$') and tonumber(count)
end
`

const increment = script(`${prelude}
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and counter() then return { redis.call('INCR', KEYS[1]), left } end
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return { 1, tonumber(ARGV[1]) }`)

const decrement = script(`${prelude}
if (counter() or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 0`)

const clear = script(`return redis.call('DEL', KEYS[1])`)

/**
 * Counts tries in Redis, so that all processes count as one. Each counter is one key, which Redis ends with its window.
 *
 * `increment` rejects with InvalidArgumentError where `windowMs` is not a number above 0.
 * @throws TypeError where an option is wrong
 */
export function createRedisThrottleStore(options: RedisStoreOptions): ThrottleStore {
  const { redis, prefix, connectionError } = resolveStoreOptions(
    'createRedisThrottleStore',
    options,
    'accounts:',
  )
  const calls = createCalls(connectionError)

  function keyOf(key: string): string[] {
    assertText('key', key)
    return [`${prefix}throttle:${key}`]
  }

  return {
    async increment(key, windowMs) {
      const keys = keyOf(key)
      const window = toWindow(windowMs)
      const reply = await calls.run(() => increment(redis, keys, [window]))
      const [count, resetMs] = reply as [unknown, unknown]
      return { count: Number(count), resetMs: Number(resetMs) }
    },

    async decrement(key) {
      const keys = keyOf(key)
      await calls.run(() => decrement(redis, keys, []))
    },

    async clear(key) {
      const keys = keyOf(key)
      await calls.run(() => clear(redis, keys, []))
    },
  }
}

/** Redis takes whole milliseconds. */
function toWindow(windowMs: unknown): string {
  const whole = typeof windowMs === 'number' ? Math.ceil(windowMs) : 0
  if (!Number.isSafeInteger(whole) || whole < 1) {
    throw new InvalidArgumentError('windowMs must be a number above 0')
  }
  return String(whole)
}
