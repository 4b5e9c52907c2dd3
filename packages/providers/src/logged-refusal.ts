import { AccountsError } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'
import type { Issuer } from './issuer.js'
import { CanceledError } from './issuer-errors.js'

/** A provider's rejection is logged as a warning: this app may be misconfigured. Canceling is normal. */
export async function withLoggedRefusal<T>(
  { provider }: Issuer,
  { log }: Client,
  work: (warn: (line: string) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work((line) => log.warn(line))
  } catch (error) {
    const isRefusal = error instanceof AccountsError && error.code === 'ACCOUNTS_PROVIDER_REFUSED'
    if (isRefusal && !(error.cause instanceof CanceledError))
      log.warn({ err: error.cause }, `accounts: a login with ${provider.name} failed`)
    throw error
  }
}
