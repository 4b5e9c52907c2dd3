import { createAccountsClient } from '@fastify-accounts/client'
import type { Handle } from '@sveltejs/kit'
import { callService } from '$lib/server/accounts'

export const handle: Handle = async ({ event, resolve }) => {
  const cookies: string[] = []
  event.locals.accounts = createAccountsClient({
    baseUrl: event.url.origin,
    authPrefix: '/accounts',
    usersPrefix: '/accounts',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input))
      const called = await callService(event, pathname + search, init)
      cookies.push(...called.cookies)
      return called.answer
    },
  })
  const response = await resolve(event)
  // As they came: names, lifetimes and attributes are the service's to say.
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
