import { AccountsError, escapeHtml } from 'fastify-accounts'
import {
  detailReply,
  endPage,
  type FeatureCore,
  inRequestLanguage,
  type LinkParams,
  linkParams,
  linkReply,
  loggedInUser,
  noteUser,
  page,
  type Route,
  respondIn,
  sendPage,
  type User,
  wantsHtml,
  withUsername,
} from 'fastify-accounts/features'

/** The request for a link, and the link itself. GET checks it and POST uses it, so a mail scanner closes nothing. */
export function closeAccountRoutes(core: FeatureCore): Route[] {
  const { links, removeSessions, themeOf, throttle, users } = core
  const link = {
    name: 'close-account-link',
    action: 'close-account',
    path: '/close-account/:uid64/:token/',
    access: 'anyone',
    budget: 'verify',
    linkPage: true,
  } as const

  return [
    {
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
      async handler(request, reply) {
        const user = loggedInUser(request)
        refuseStaff(user)
        await throttle.spend('closeAccount', user.id)
        const { postOffice } = inRequestLanguage(core, request)
        await postOffice.post(postOffice.about('close-account', user))
        reply.code(202)
        return { detail: respondIn(reply, themeOf(request).language).texts.responses.close_account }
      },
    },
    {
      ...link,
      method: 'GET',
      operation: {
        id: 'checkCloseAccount',
        summary: 'Ask whether to close the account',
        errors: ['ACCOUNTS_INVALID_LINK'],
      },
      schema: { params: linkParams, response: { 200: linkReply } },
      async handler(request, reply) {
        const { user } = await links.open('close-account', request.params as LinkParams)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        const { heading, body, button } = theme.language.texts.pages.close_account
        return sendPage(
          reply,
          theme.language,
          page(
            theme,
            heading,
            `<p>${withUsername(theme, body, user.username)}</p>
<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`,
          ),
        )
      },
    },
    {
      ...link,
      method: 'POST',
      operation: {
        id: 'confirmCloseAccount',
        summary: 'Close the account with the link',
        errors: ['ACCOUNTS_INVALID_LINK', 'CLOSE_ACCOUNT_STAFF'],
      },
      schema: { params: linkParams, response: { 200: detailReply } },
      async handler(request, reply) {
        const { user } = await links.open('close-account', request.params as LinkParams)
        noteUser(request, user)
        refuseStaff(user)
        if (!(await users.delete(user.id))) throw new AccountsError('ACCOUNTS_INVALID_LINK')
        await removeSessions(user.id)
        const theme = themeOf(request)
        const { heading, body } = theme.language.texts.pages.account_closed
        if (wantsHtml(request))
          return sendPage(reply, theme.language, endPage(theme, heading, `<p>${escapeHtml(body)}</p>`))
        return { detail: respondIn(reply, theme.language).texts.responses.account_closed }
      },
    },
  ]
}

function refuseStaff({ isStaff }: User): void {
  if (isStaff) throw new AccountsError('CLOSE_ACCOUNT_STAFF')
}
