import { createRequire } from 'node:module'
import type * as Argon2 from '@node-rs/argon2'
import type * as Bcrypt from '@node-rs/bcrypt'

interface Libraries {
  '@node-rs/argon2': typeof Argon2
  '@node-rs/bcrypt': typeof Bcrypt
}

/**
 * Loads an optional library when the kind is configured: if it is missing, startup fails rather than a login.
 * @throws Error with one line that says what to install
 */
export function load<Name extends keyof Libraries>(kind: string, name: Name): Libraries[Name] {
  try {
    // In a CommonJS bundle `import.meta.url` may be undefined.
    return createRequire(import.meta.url ?? `${process.cwd()}/`)(name)
  } catch (error) {
    throw new Error(`@fastify-accounts/hashes: ${kind} needs another package: npm install ${name}`, {
      cause: error,
    })
  }
}
