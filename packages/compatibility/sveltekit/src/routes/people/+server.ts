import { createUsersClient } from '@fastify-accounts/client/users'
import { json } from '@sveltejs/kit'
import { callService } from '$lib/server/accounts'
import type { RequestHandler } from './$types'

/** Usernames that begin with `?search=`, for logged-in users. */
export const GET: RequestHandler = async (event) => {
  const users = createUsersClient({
    baseUrl: `${event.url.origin}/accounts`,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input))
      return (await callService(event, pathname + search, init)).response
    },
  })
  const people = await users.listUsers({ search: event.url.searchParams.get('search') ?? '' })
  if (!people.ok) return json({ message: people.error.message }, { status: people.error.status || 503 })
  return json(people.data.results.map(({ username }) => username))
}
