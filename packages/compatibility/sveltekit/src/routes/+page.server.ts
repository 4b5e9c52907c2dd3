import { error, redirect } from '@sveltejs/kit'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals }) => {
  const me = await locals.accounts.showMe()
  if (me.ok) return { username: me.data.username }
  if (me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') redirect(303, '/login')
  error(503, 'Please try again in a moment.')
}

export const actions: Actions = {
  logout: async ({ locals }) => {
    const gone = await locals.accounts.logOut()
    if (!gone.ok) error(503, 'Please try again in a moment.')
    redirect(303, '/login')
  },
}
