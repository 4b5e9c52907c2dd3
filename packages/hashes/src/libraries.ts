import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'
import type * as Bcrypt from '@node-rs/bcrypt'

interface Libraries {
  '@node-rs/argon2': typeof Argon2
  '@node-rs/bcrypt': typeof Bcrypt
}

const require = createRequire(import.meta.url)

/**
 * Loads what only some need, when the kind is named: where it is missing, the start stops, and not a login.
 * @throws Error of one line that says what to install
 */
export function load<Name extends keyof Libraries>(kind: string, name: Name): Libraries[Name] {
  try {
    return require(name)
  } catch (error) {
    throw new Error(`@fastify-accounts/hashes: ${kind} needs another package: npm install ${name}`, {
      cause: error,
    })
  }
}
