import { randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../service.js'

export interface Hasher {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export const scryptHasher: Hasher = {
  async hash(password) {
    const salt = randomBytes(16)
    return `${salt.toString('base64')}$${(await deriveKey(password, salt)).toString('base64')}`
  },
  async verify(password, hash) {
    const [salt = '', key = ''] = hash.split('$')
    const derivedKey = await deriveKey(password, Buffer.from(salt, 'base64'))
    const kept = Buffer.from(key, 'base64')
    return derivedKey.length === kept.length && timingSafeEqual(derivedKey, kept)
  },
}

/** Costs nothing. */
export const noHasher: Hasher = {
  hash: async (password) => `none:${password}`,
  verify: async (password, hash) => hash === `none:${password}`,
}
