import { AccountsError } from 'fastify-accounts'
import { createConnection } from './connection.js'
import type { Provider } from './provider.js'

/**
 * Asks all providers for their discovery documents.
 * @param deadline milliseconds for each
 * @returns one line for each that can't be used
 */
export async function inspectProviders(list: readonly Provider[], deadline: number): Promise<string[]> {
  const lines = list.map(async (provider) => {
    try {
      await createConnection(provider, deadline).configuration()
      return []
    } catch (error) {
      const { message, cause } = error as Error
      const reason = error instanceof AccountsError && cause instanceof Error ? cause.message : message
      return [`${provider.name}: ${reason}`]
    }
  })
  return (await Promise.all(lines)).flat()
}
