import type { Accounts, AccountUser } from 'fastify-accounts'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
  }
  interface FastifyRequest {
    user: AccountUser | null
  }
}
