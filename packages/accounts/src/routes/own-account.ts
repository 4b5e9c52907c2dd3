import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { ResolvedOptions } from '../options/options.js'
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
} from '../pages/email-change.js'
import type { PageTheme } from '../pages/theme.js'
import { changeEmail } from '../services/change-email.js'
import { changeProfile } from '../services/change-profile.js'
import { confirmEmail } from '../services/confirm-email.js'
import { deleteUser } from '../services/delete-user.js'
import { keepEmail } from '../services/keep-email.js'
import { releaseEmail } from '../services/release-email.js'
import { undoEmail } from '../services/undo-email.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { ownUser, type User, type UserFields } from '../user.js'
import { loggedInUser } from './access.js'
import { noteUser } from './audit.js'
import { sendPage, wantsHtml } from './negotiation.js'
import { inRequestLanguage, speak } from './request-language.js'
import type { Operation, Route } from './route.js'
import {
  detailReply,
  type EmailBody,
  emailBody,
  type LinkParams,
  linkParams,
  noReply,
  ownUserReply,
  type ProfileBody,
  profileBody,
  resetLinkReply,
} from './schemas.js'

type OwnAccountDeps = Deps & {
  keeper: SessionKeeper
  fields: ResolvedOptions['fields']
  keepEmailPath: string
  themeOf(request: FastifyRequest): PageTheme
}

/** What people do with their own account: change what they say of themselves, their address, or delete it. */
export function ownAccountRoutes(deps: OwnAccountDeps): Route[] {
  const { keeper, fields, keepEmailPath, themeOf } = deps
  return [
    {
      name: 'me',
      action: 'change-profile',
      method: 'PATCH',
      path: '/me/',
      operation: {
        id: 'updateMe',
        summary: 'Change the own profile',
        errors: ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: { body: profileBody(fields), response: { 200: ownUserReply(fields) } },
      async handler(request) {
        const { username, ...own } = request.body as ProfileBody & UserFields
        return ownUser(await changeProfile(deps, loggedInUser(request), { username, fields: own }))
      },
    },
    {
      name: 'me',
      action: 'delete-user',
      method: 'DELETE',
      path: '/me/',
      operation: {
        id: 'deleteMe',
        summary: 'Delete the own account; staff must be demoted by another member first',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      access: 'confirmed',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        const actor = loggedInUser(request)
        await deleteUser(deps, actor, actor.id)
        await keeper.forget(request, reply)
        return reply.code(204).send()
      },
    },
    {
      name: 'change-email',
      action: 'change-email',
      method: 'POST',
      path: '/change-email/',
      operation: {
        id: 'changeEmail',
        summary: 'Mail a link to a new e-mail address',
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'confirmed',
      budget: null,
      schema: { body: emailBody, response: { 202: detailReply } },
      async handler(request, reply) {
        await changeEmail(inRequestLanguage(deps, request), loggedInUser(request), request.body as EmailBody)
        reply.code(202)
        return { detail: speak(reply, themeOf(request).language).texts.answers.change_email }
      },
    },
    ...emailLinkRoutes(deps, {
      name: 'email-confirm',
      action: 'confirm-email',
      path: '/email/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailChange', summary: 'Show the page that changes the address' },
        use: {
          id: 'confirmEmailChange',
          summary: 'Change the e-mail address by a link',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
        },
      },
      purpose: 'change-email',
      use: (request, parts, email) => confirmEmail(inRequestLanguage(deps, request), parts, email),
      askPage: emailChangePage,
      donePage: emailConfirmedPage,
      detail: 'email_changed',
    }),
    ...emailLinkRoutes(deps, {
      name: 'email-undo',
      action: 'undo-email',
      path: '/email/undo/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailUndo', summary: 'Show the page that undoes a change' },
        use: {
          id: 'undoEmailChange',
          summary: 'Undo a change of the e-mail address by a link',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_EMAIL_TAKEN'],
        },
      },
      purpose: 'undo-email',
      use: (request, parts, email) => undoEmail(inRequestLanguage(deps, request), parts, email),
      askPage: (theme, facts, { uid64, token }) =>
        emailUndoPage(theme, {
          ...facts,
          keepUrl: `${keepEmailPath}${uid64}/${token}/?${new URLSearchParams({ email: facts.email })}`,
        }),
      donePage: emailUndonePage,
      detail: 'email_undone',
    }),
    ...emailLinkRoutes(deps, {
      name: 'email-keep',
      action: 'keep-email',
      path: '/email/keep/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailKeep', summary: 'Show the page that ends the way back to the old address' },
        use: {
          id: 'keepEmailChange',
          summary: 'End the way back early, by the link that undoes a change of the address',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
        },
      },
      purpose: 'undo-email',
      use: (_request, parts, email) => keepEmail(deps, parts, email),
      askPage: emailKeepPage,
      donePage: emailKeptPage,
      detail: 'email_kept',
    }),
    ...emailLinkRoutes(deps, {
      name: 'email-release',
      action: 'release-email',
      path: '/email/release/:uid64/:token/',
      operations: {
        open: { id: 'checkEmailRelease', summary: 'Show the page that takes an address off an account' },
        use: {
          id: 'releaseEmail',
          summary: 'Take a new address off an account, by the link in the mail to it',
          errors: ['ACCOUNTS_INVALID_LINK', 'ACCOUNTS_CONFLICT'],
        },
      },
      purpose: 'release-email',
      use: (request, parts, email) => releaseEmail(inRequestLanguage(deps, request), parts, email),
      askPage: emailReleasePage,
      donePage: emailReleasedPage,
      detail: 'email_released',
    }),
  ]
}

/** A link about an address: GET looks at it, POST uses it. */
function emailLinkRoutes(
  { links, themeOf }: Pick<OwnAccountDeps, 'links' | 'themeOf'>,
  link: Pick<Route, 'name' | 'action' | 'path'> & {
    /** What looking at the link and using it are called, and what using it refuses with. */
    operations: {
      open: Pick<Operation, 'id' | 'summary'>
      use: Pick<Operation, 'id' | 'summary' | 'errors'>
    }
    purpose: 'change-email' | 'undo-email' | 'release-email'
    use(request: FastifyRequest, parts: LinkParams, email: string): Promise<User>
    askPage(theme: PageTheme, facts: EmailPageFacts, parts: LinkParams): string
    donePage: EmailPage
    detail: 'email_changed' | 'email_undone' | 'email_kept' | 'email_released'
  },
): Route[] {
  const query = { email: 'The address, as the link says it' }
  const { name, action, path, operations, purpose, use, askPage, donePage, detail } = link
  const shared = { name, action, path, access: 'anyone', budget: 'verify', linkPage: true } as const
  return [
    {
      ...shared,
      method: 'GET',
      operation: { ...operations.open, errors: ['ACCOUNTS_INVALID_LINK'], query },
      schema: { params: linkParams, response: { 200: resetLinkReply } },
      async handler(request, reply) {
        const email = emailOf(request)
        const parts = request.params as LinkParams
        const { user } = await links.open(purpose, parts, email)
        noteUser(request, user)
        if (!wantsHtml(request)) return { valid: true }
        const theme = themeOf(request)
        return sendPage(reply, theme.language, askPage(theme, { username: user.username, email }, parts))
      },
    },
    {
      ...shared,
      method: 'POST',
      operation: { ...operations.use, query },
      schema: { params: linkParams, response: { 200: detailReply } },
      async handler(request, reply) {
        const email = emailOf(request)
        const user = await use(request, request.params as LinkParams, email)
        noteUser(request, user)
        const theme = themeOf(request)
        if (wantsHtml(request))
          return sendPage(reply, theme.language, donePage(theme, { username: user.username, email }))
        return { detail: speak(reply, theme.language).texts.answers[detail] }
      },
    },
  ]
}

/**
 * The address that a link names in its query. The token was made for this very text; other parameters, which mail
 * programs add, are no harm.
 */
function emailOf(request: FastifyRequest): string {
  const { email } = request.query as { email?: unknown }
  if (typeof email !== 'string') throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return email
}
