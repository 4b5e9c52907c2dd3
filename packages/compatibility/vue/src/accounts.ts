import { createAccountsClient } from '@fastify-accounts/client'

export const accounts = createAccountsClient({ baseUrl: '/accounts' })
