import { createScryptHasher, type PasswordHasher } from 'fastify-accounts'
import { onlyInTests } from './only-in-tests.js'

/**
 * The default hasher with so little work that a test doesn't wait for it. It also verifies hashes of real cost, such as
 * those in your test data.
 * @throws Error with `NODE_ENV=production`
 */
export function createCheapHasher(): PasswordHasher {
  onlyInTests('createCheapHasher')
  return createScryptHasher({ logN: 4, r: 1, p: 1 })
}
