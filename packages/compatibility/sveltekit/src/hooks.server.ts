import { createAccountsClient } from '@fastify-accounts/client'
import type { Handle } from '@sveltejs/kit'
import { callService } from '$lib/server/accounts'

export const handle: Handle = async ({ event, resolve }) => {
  const cookies: string[] = []
  event.locals.accounts = createAccountsClient({
    baseUrl: `${event.url.origin}/accounts`,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input))
      const called = await callService(event, pathname + search, init)
      cookies.push(...called.cookies)
      return called.response
    },
  })
  const response = await resolve(event)
  // Unchanged: the service decides on names, lifetimes and attributes.
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
