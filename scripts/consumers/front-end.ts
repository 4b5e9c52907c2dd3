import { type AccountsClient, createAccountsClient, type ErrorCode } from '@fastify-accounts/client'

const client: AccountsClient<{ display_name: string }> = createAccountsClient({
  baseUrl: 'https://api.example.org',
})
export async function greet(): Promise<string | ErrorCode> {
  const me = await client.showMe()
  return me.ok ? `Hello ${me.data.display_name ?? me.data.username}` : me.error.code
}
