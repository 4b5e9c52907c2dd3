import { fail, redirect } from '@sveltejs/kit'
import type { Actions } from './$types'

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await request.formData()
    const [username, email, password] = ['username', 'email', 'password'].map((name) =>
      String(form.get(name)),
    )
    const made = await locals.accounts.signUp({ username, email, password, confirm_password: password })
    if (made.ok) redirect(303, '/login')
    const { status, message, fields } = made.error
    const messages =
      fields.length === 0 ? [message] : fields.map((fault) => `${fault.field}: ${fault.message}`)
    return fail(status || 503, { username, email, messages })
  },
}
