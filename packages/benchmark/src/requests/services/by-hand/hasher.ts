import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 }

export interface Hasher {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

/** scrypt with our default settings. */
export const scryptHasher: Hasher = {
  async hash(password) {
    const salt = randomBytes(16)
    return `${salt.toString('base64')}$${(await derive(password, salt, 32, cost)).toString('base64')}`
  },
  async verify(password, hash) {
    const [salt = '', key = ''] = hash.split('$')
    const made = await derive(password, Buffer.from(salt, 'base64'), 32, cost)
    const kept = Buffer.from(key, 'base64')
    return made.length === kept.length && timingSafeEqual(made, kept)
  },
}

/** Costs nothing. */
export const noHasher: Hasher = {
  hash: async (password) => `none:${password}`,
  verify: async (password, hash) => hash === `none:${password}`,
}
