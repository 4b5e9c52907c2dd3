import { createAccountsClient } from '@fastify-accounts/client'
import { headers } from 'next/headers'

const service = process.env.ACCOUNTS_URL ?? 'http://127.0.0.1:3000'

/** Who is logged in, for server components. `null` for nobody; throws if the service is down. */
export async function currentUser() {
  const visitor = await headers()
  const me = await createAccountsClient({
    baseUrl: `${service}/accounts`,
    headers: {
      cookie: visitor.get('cookie') ?? '',
      'user-agent': visitor.get('user-agent') ?? '',
      'x-forwarded-for': visitor.get('x-forwarded-for') ?? '',
    },
  }).showMe()
  if (me.ok) return me.data
  if (me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') return null
  throw me.error
}
