import { fail, redirect } from '@sveltejs/kit'
import type { Actions } from './$types'

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await request.formData()
    const username = String(form.get('username'))
    const login = await locals.accounts.logIn({ username, password: String(form.get('password')) })
    if (!login.ok) return fail(login.error.status || 503, { username, message: login.error.message })
    redirect(303, '/')
  },
}
