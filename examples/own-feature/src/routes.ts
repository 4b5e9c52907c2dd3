import { AccountsError, escapeHtml } from 'fastify-accounts'
import {
  can,
  detailReply,
  endPage,
  type FeatureCore,
  linkRoutes,
  ownRecord,
  type PageTheme,
  page,
  type Route,
  route,
  type User,
  withUsername,
} from 'fastify-accounts/features'

/** The request for a link, and the link itself. */
export const closeAccountRoutes: readonly Route[] = [
  route({
    name: 'close-account',
    action: 'close-account',
    method: 'POST',
    path: '/close-account/',
    operation: {
      id: 'closeAccount',
      summary: 'Email a link that closes your account',
      errors: ['CLOSE_ACCOUNT_STAFF', 'ACCOUNTS_THROTTLED'],
    },
    access: 'confirmed',
    budget: null,
    schema: { response: { 202: detailReply } },
    async handle({ who: { user } }, { users, throttle, postOffice, options }) {
      refuseStaff(user, options)
      await throttle.spend('closeAccount', user.id)
      const note = { asked_at: new Date().toISOString() }
      // The email is stored with the note, or neither.
      await users.change(
        await ownRecord({ users }, user),
        ({ notes }) => ({ notes: { ...notes, 'close-account': note } }),
        { messages: (changed) => postOffice.about('close-account', changed) },
      )
      return { status: 202, message: 'close_account' }
    },
  }),
  ...linkRoutes({
    name: 'close-account-link',
    action: 'close-account',
    path: '/close-account/',
    purpose: 'close-account',
    show: {
      operation: { id: 'checkCloseAccount', summary: 'Ask whether to close the account' },
      handle: ({ user }) => ({ page: (theme) => askPage(theme, user) }),
    },
    use: {
      operation: {
        id: 'confirmCloseAccount',
        summary: 'Close the account with the link',
        errors: ['CLOSE_ACCOUNT_STAFF'],
      },
      schema: { response: { 200: detailReply } },
      async handle({ params, client }, { links, users, removeSessions, options }) {
        const { user } = await links.open('close-account', params)
        client.note({ user })
        refuseStaff(user, options)
        if (!(await users.delete(user))) throw new AccountsError('ACCOUNTS_INVALID_LINK')
        await removeSessions(user.id)
        return { message: 'account_closed', page: closedPage }
      },
    },
  }),
]

/** As at DELETE /me/: somebody must remain who may grant rights. */
function refuseStaff(user: User, options: Pick<FeatureCore['options'], 'roles'>): void {
  if (can(user, 'users:grant', options)) throw new AccountsError('CLOSE_ACCOUNT_STAFF')
}

function askPage(theme: PageTheme, { username }: User): string {
  const { heading, body, button } = theme.language.texts.pages.close_account
  const form = `<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`
  return page(theme, heading, `<p>${withUsername(theme, body, username)}</p>\n${form}`)
}

function closedPage(theme: PageTheme): string {
  const { heading, body } = theme.language.texts.pages.account_closed
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`)
}
