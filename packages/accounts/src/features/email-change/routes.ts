import type { FastifyRequest } from 'fastify'
import { removedLately } from '../../emails/removal-note.js'
import { AccountsError } from '../../errors.js'
import { loggedInUser } from '../../http/access.js'
import { noteUser } from '../../http/audit.js'
import { isMakersBrowser } from '../../http/maker.js'
import { sendPage, wantsHtml } from '../../http/negotiation.js'
import { removedResponse } from '../../http/removed-response.js'
import { inRequestLanguage, respondIn } from '../../http/request-language.js'
import type { Operation, Route } from '../../http/route.js'
import { detailReply, linkReply, removedReply, removingLinkReply } from '../../http/schemas/replies.js'
import { type EmailBody, emailBody, type LinkParams, linkParams } from '../../http/schemas/requests.js'
import { shownName } from '../../identifiers/account-name.js'
import type { Removed } from '../../languages/removed.js'
import { removedBy } from '../../logins/removed.js'
import type { PageTheme } from '../../pages/theme.js'
import type { StoredUser } from '../../user.js'
import { lockChanges } from '../../users/change.js'
import type { FeatureCore } from '../feature.js'
import { changeEmail } from './change-email.js'
import { confirmEmailChange } from './confirm-email-change.js'
import { keepEmailChange } from './keep-email-change.js'
import {
  type EmailPage,
  type EmailPageFacts,
  emailChangePage,
  emailConfirmedPage,
  emailKeepPage,
  emailKeptPage,
  emailReleasedPage,
  emailReleasePage,
  emailUndonePage,
  emailUndoPage,
} from './pages.js'
import { releaseEmail } from './release-email.js'
import { undoEmailChange } from './undo-email-change.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'change-email': true
    'confirm-email': true
    'undo-email': true
    'keep-email': true
    'release-email': true
  }
}

/** The request for another address, and the links in the emails that follow. */
export function emailChangeRoutes(core: FeatureCore): Route[] {
  const { themeOf, where, options, pending } = core
  return [
    {
      name: 'change-email',
      action: 'change-email',
      method: 'POST',
      path: '/change-email/',
      operation: {
        id: 'changeEmail',
        summary: 'Email a link to a new address',
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'owner',
      budget: null,
      schema: { body: emailBody, response: { 202: detailReply } },
      async handler(request, reply) {
        await changeEmail(inRequestLanguage(core, request), loggedInUser(request), request.body as EmailBody)
        reply.code(202)
        return { detail: respondIn(reply, themeOf(request).language).texts.responses.change_email }
      },
    },
    ...emailLinkRoutes(core, {
      name: 'email-confirm',
      action: 'confirm-email',
      path: '/email/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailChange', summary: 'Show the page that changes the address' },
        use: {
          id: 'confirmEmailChange',
          summary: 'Change the email address by a link',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
        },
      },
      purpose: 'change-email',
      // Whether an account that was never proven is opened by its maker.
      access: 'anyone-known',
      use: (request, parts, email) =>
        confirmEmailChange(inRequestLanguage(core, request), parts, email, isMakersBrowser(core, request)),
      askPage: emailChangePage,
      donePage: emailConfirmedPage,
      detail: 'email_changed',
    }),
    ...emailLinkRoutes(core, {
      name: 'email-undo',
      action: 'undo-email',
      path: '/email/undo/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailUndo', summary: 'Show the page that undoes a change' },
        use: {
          id: 'undoEmailChange',
          summary: 'Undo a change of the email address by a link',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
        },
      },
      purpose: 'undo-email',
      removes: (user) => removedBy(user, lockChanges(user, options.links.undoLifetime), pending.devices),
      use: (request, parts, email) =>
        undoEmailChange(inRequestLanguage(core, request), pending.devices, parts, email),
      askPage: (theme, facts, { uid64, token }) =>
        emailUndoPage(theme, {
          ...facts,
          keepUrl: `${where.path('email-keep', { uid64, token })}?${new URLSearchParams({ email: facts.email })}`,
        }),
      donePage: emailUndonePage,
      detail: 'email_undone',
    }),
    ...emailLinkRoutes(core, {
      name: 'email-keep',
      action: 'keep-email',
      path: '/email/keep/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailKeep', summary: 'Show the page that keeps the new address' },
        use: {
          id: 'keepEmailChange',
          summary: 'Keep the new address: the undo link of an email change stops working',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
        },
      },
      purpose: 'undo-email',
      use: (_request, parts, email) => keepEmailChange(core, parts, email),
      askPage: emailKeepPage,
      donePage: emailKeptPage,
      detail: 'email_kept',
    }),
    ...emailLinkRoutes(core, {
      name: 'email-release',
      action: 'release-email',
      path: '/email/release/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailRelease', summary: 'Show the page that removes an address from an account' },
        use: {
          id: 'releaseEmail',
          summary: 'Remove a new address from an account, by the link emailed to it',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
        },
      },
      purpose: 'release-email',
      use: (request, parts, email) => releaseEmail(inRequestLanguage(core, request), parts, email),
      askPage: emailReleasePage,
      donePage: emailReleasedPage,
      detail: 'email_released',
    }),
  ]
}

/** A link about an address: GET shows it, POST uses it. */
function emailLinkRoutes(
  { links, themeOf, options }: Pick<FeatureCore, 'links' | 'themeOf' | 'options'>,
  link: Pick<Route, 'name' | 'action' | 'path'> & {
    /** The operations of showing and using the link, and the errors of using it. */
    operations: {
      open: Pick<Operation, 'id' | 'summary'>
      use: Pick<Operation, 'id' | 'summary' | 'errors'>
    }
    purpose: 'change-email' | 'undo-email' | 'release-email'
    /** What it will take from the account, other than the password. Default: nothing. */
    removes?(user: StoredUser): Removed | null
    /** Of using it. Default `anyone`. */
    access?: 'anyone-known'
    use(request: FastifyRequest, parts: LinkParams, email: string): Promise<StoredUser>
    askPage(theme: PageTheme, facts: EmailPageFacts, parts: LinkParams): string
    donePage: EmailPage
    detail: 'email_changed' | 'email_undone' | 'email_kept' | 'email_released'
  },
): Route[] {
  const query = { email: 'The address, as the link says it' }
  const { name, action, path, operations, purpose, removes, use, askPage, donePage, detail } = link
  const { access = 'anyone' } = link
  const shared = { name, action, path, access: 'anyone', budget: 'verify', linkPage: true } as const
  return [
    {
      ...shared,
      method: 'GET',
      operation: { ...operations.open, errors: ['ACCOUNTS_INVALID_LINK'], query },
      schema: { params: linkParams, response: { 200: removes ? removingLinkReply : linkReply } },
      async handler(request, reply) {
        const email = emailOf(request)
        const parts = request.params as LinkParams
        const { user } = await links.open(purpose, parts, email)
        noteUser(request, user)
        const removed = removes?.(user) ?? null
        if (!wantsHtml(request)) return { valid: true, ...(removed && { removes: removed }) }
        const theme = themeOf(request)
        const facts = { username: shownName(options, user), email, removed }
        return sendPage(reply, theme.language, askPage(theme, facts, parts))
      },
    },
    {
      ...shared,
      access,
      isOpenToEnroll: true,
      method: 'POST',
      operation: { ...operations.use, query },
      schema: { params: linkParams, response: { 200: removes ? removedReply : detailReply } },
      async handler(request, reply) {
        const email = emailOf(request)
        const user = await use(request, request.params as LinkParams, email)
        noteUser(request, user)
        const theme = themeOf(request)
        const removed = removes ? removedLately(user) : null
        const facts = { username: shownName(options, user), email, removed }
        if (wantsHtml(request)) return sendPage(reply, theme.language, donePage(theme, facts))
        const language = respondIn(reply, theme.language)
        return removedResponse(language, language.texts.responses[detail], removed)
      },
    },
  ]
}

/**
 * The address that a link has in its query. The token was made for this exact text; other parameters, which
 * mail clients add, do no harm.
 */
function emailOf(request: FastifyRequest): string {
  const { email } = request.query as { email?: unknown }
  if (typeof email !== 'string') throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return email
}
