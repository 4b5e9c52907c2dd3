import { timingSafeEqual } from 'node:crypto'
import { fromBase64, toCount } from './encoding.js'
import { checkCost, type ForeignHashes } from './foreign-hashes.js'
import { load } from './libraries.js'

/** The cost of the most expensive stored hash (RFC 9106). */
export interface Argon2Cost {
  /** KiB. */
  memory?: number | undefined
  passes?: number | undefined
  lanes?: number | undefined
}

/** KiB of memory, KiB times passes, lanes: more than the defaults of any library we checked. */
const most = { memory: 2 ** 17, work: 2 ** 19, lanes: 16 }

/** As @node-rs/argon2 numbers them. */
const variants: Record<string, number> = { argon2d: 0, argon2i: 1, argon2id: 2 }
const versions: Record<string, number> = { 16: 0, 19: 1 }

const pattern =
  /^\$(argon2(?:id|i|d))(?:\$v=(16|19))?\$([a-z]=\d+,[a-z]=\d+,[a-z]=\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Argon2id, Argon2i and Argon2d in PHC format, as created by the npm packages `argon2` and `@node-rs/argon2`, Python's
 * argon2-cffi and PHP. Needs the package @node-rs/argon2.
 * @param cost by default `{ memory: 65536, passes: 3, lanes: 4 }`, those of the npm package `argon2`
 * @throws RangeError with one line that names the option
 * @throws Error with one line if the package is not installed
 */
export function argon2({ memory = 65_536, passes = 3, lanes = 4 }: Argon2Cost = {}): ForeignHashes {
  return argon2Kind('argon2', { memory, passes, lanes })
}

/** @param name the function name for error messages */
export function argon2Kind(name: string, usual: Record<keyof Argon2Cost, number>): ForeignHashes {
  checkCost(name, 'lanes', usual.lanes, 1, 255)
  checkCost(name, 'memory', usual.memory, 8 * usual.lanes, 2 ** 22)
  checkCost(name, 'passes', usual.passes, 1, 2 ** 16)
  const library = load(name, '@node-rs/argon2')
  const ceiling = {
    memory: Math.max(most.memory, usual.memory),
    work: Math.max(most.work, usual.memory * usual.passes),
    lanes: Math.max(most.lanes, usual.lanes),
  }

  return {
    open(hash) {
      const [, variant = '', version = '16', settings = '', salt = '', key = ''] = pattern.exec(hash) ?? []
      const named = Object.fromEntries(settings.split(',').map((each) => each.split('=')))
      const [memory, passes, lanes] = [toCount(named.m), toCount(named.t), toCount(named.p)]
      const [saltBytes, keyBytes] = [fromBase64(salt, 'bare'), fromBase64(key, 'bare')]
      if (memory === null || passes === null || lanes === null) return null
      if (saltBytes === null || saltBytes.length < 8 || saltBytes.length > 64) return null
      if (keyBytes === null || keyBytes.length < 16 || keyBytes.length > 128) return null
      if (lanes > ceiling.lanes || memory < 8 * lanes || memory > ceiling.memory) return null
      if (memory * passes > ceiling.work) return null
      const options = {
        memoryCost: memory,
        timeCost: passes,
        parallelism: lanes,
        algorithm: variants[variant] as never,
        version: versions[version] as never,
        salt: saltBytes,
        outputLen: keyBytes.length,
      }
      return {
        work: memory * passes,
        verify: async (password) => timingSafeEqual(await library.hashRaw(password, options), keyBytes),
      }
    },
    usualWork: usual.memory * usual.passes,
    async spend(work) {
      const { lanes } = usual
      const memoryCost = Math.max(8 * lanes, Math.min(usual.memory, work))
      const timeCost = Math.max(1, Math.round(work / memoryCost))
      await library.hashRaw('', {
        memoryCost,
        timeCost,
        parallelism: lanes,
        salt: Buffer.alloc(16),
        outputLen: 32,
      })
    },
  }
}
