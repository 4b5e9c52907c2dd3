import { json } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

/** Usernames that begin with `?search=`, for logged-in users. */
export const GET: RequestHandler = async ({ locals, url }) => {
  const people = await locals.accounts.listUsers({ search: url.searchParams.get('search') ?? '' })
  if (!people.ok) return json({ message: people.error.message }, { status: people.error.status || 503 })
  return json(people.data.results.map(({ username }) => username))
}
