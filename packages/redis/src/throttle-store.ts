import { assertText, InvalidArgumentError, type ThrottleStore } from 'fastify-accounts'
import { createCalls } from './calls.js'
import { script } from './script.js'
import { type RedisStoreOptions, resolveStoreOptions, slotTextOf } from './store-options.js'

/** A value that is not a counter counts as absent: a corrupted value must not lock anyone out forever. */
const prelude = `
local function counter(key)
  if redis.call('TYPE', key).ok ~= 'string' then return nil end
  local count = redis.call('GET', key)
  return #count < 16 and string.find(count, '^%d+$') and tonumber(count)
end
`

/** Each key has a window and a maximum: the first count above its maximum is the last. */
const increment = script(`${prelude}
local counts = {}
for i, key in ipairs(KEYS) do
  local window, max = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local count, left = 1, redis.call('PTTL', key)
  if left >= 0 and counter(key) then
    count = redis.call('INCR', key)
  else
    left = window
    redis.call('SET', key, 1, 'PX', ARGV[2 * i - 1])
  end
  counts[i] = { count, left }
  if count > max then break end
end
return counts`)

const decrement = script(`${prelude}
if (counter(KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 0`)

const clear = script(`return redis.call('DEL', unpack(KEYS))`)

/**
 * Counts attempts in Redis, shared by all processes. Each counter is one key, which Redis expires with its window.
 * `incrementAll` and `clearAll` run one script for keys with the same hash tag, and one per key otherwise.
 *
 * `increment` rejects with InvalidArgumentError if `windowMs` is not a number above 0; `incrementAll` also if a
 * `max` is not a whole number.
 * @throws TypeError if an option is invalid
 */
export function createRedisThrottleStore(options: RedisStoreOptions): Required<ThrottleStore> {
  const { redis, prefix, connectionError } = resolveStoreOptions(
    'createRedisThrottleStore',
    options,
    'accounts:',
  )
  const calls = createCalls(connectionError)

  function keyOf(key: string): string {
    assertText('key', key)
    return `${prefix}throttle:${key}`
  }

  /** Whether one script can handle all of them, also on a cluster. */
  function shareSlot(keys: readonly string[]): boolean {
    return new Set(keys.map((key) => slotTextOf(redis.keyPrefix + key))).size === 1
  }

  async function count(counters: readonly Counter[]): Promise<Count[]> {
    const keys = counters.map(({ key }) => key)
    const values = counters.flatMap(({ window, max }) => [window, String(max)])
    const reply = await calls.run(() => increment(redis, keys, values))
    return (reply as [unknown, unknown][]).map(([count, resetMs]) => ({
      count: Number(count),
      resetMs: Number(resetMs),
    }))
  }

  async function countOne(counter: Counter): Promise<Count> {
    const [counted] = await count([counter])
    return counted as Count
  }

  return {
    async increment(key, windowMs) {
      // The first key is counted whatever its maximum.
      return countOne({ key: keyOf(key), window: toWindow(windowMs), max: 0 })
    },

    async decrement(key) {
      const keys = [keyOf(key)]
      await calls.run(() => decrement(redis, keys, []))
    },

    async clear(key) {
      const keys = [keyOf(key)]
      await calls.run(() => clear(redis, keys, []))
    },

    async incrementAll(attempts) {
      const counters = attempts.map(
        ({ key, windowMs, max }): Counter => ({
          key: keyOf(key),
          window: toWindow(windowMs),
          max: toMax(max),
        }),
      )
      if (shareSlot(counters.map(({ key }) => key))) return count(counters)
      const counts: Count[] = []
      for (const counter of counters) {
        const counted = await countOne(counter)
        counts.push(counted)
        if (counted.count > counter.max) break
      }
      return counts
    },

    async clearAll(keys) {
      const all = keys.map(keyOf)
      const scripts = shareSlot(all) ? [all] : all.map((key) => [key])
      await Promise.all(scripts.map((each) => calls.run(() => clear(redis, each, []))))
    },
  }
}

interface Counter {
  key: string
  window: string
  max: number
}

interface Count {
  count: number
  resetMs: number
}

/** Redis takes whole milliseconds. */
function toWindow(windowMs: unknown): string {
  const whole = typeof windowMs === 'number' ? Math.ceil(windowMs) : 0
  if (!Number.isSafeInteger(whole) || whole < 1) {
    throw new InvalidArgumentError('windowMs must be a number above 0')
  }
  return String(whole)
}

function toMax(max: unknown): number {
  if (!Number.isSafeInteger(max)) throw new InvalidArgumentError('max must be a whole number')
  return max as number
}
