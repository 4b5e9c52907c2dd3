import type { AccountsClient } from '@fastify-accounts/client'

declare global {
  namespace App {
    interface Locals {
      accounts: AccountsClient
    }
  }
}
