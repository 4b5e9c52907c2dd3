import { removedLately } from '../../emails/removal-note.js'
import { AccountsError } from '../../errors.js'
import { emailBody, type LinkParams, type linkParams } from '../../http/input/schemas.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { Input } from '../../http/operation.js'
import {
  detailReply,
  linkReply,
  noReply,
  removedReply,
  removingLinkReply,
} from '../../http/output/schemas.js'
import { type OperationFacts, type Route, route } from '../../http/route.js'
import { shownName } from '../../identifiers/account-name.js'
import { type EmailAddress, parseEmail } from '../../identifiers/email.js'
import type { Removed } from '../../languages/removed.js'
import { isMoversBrowser } from '../../logins/own-browser.js'
import type { PageTheme } from '../../pages/theme.js'
import type { StoredUser } from '../../user.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { removedBy } from '../../users/removed.js'
import type { FeatureCore } from '../feature.js'
import { cancelEmailChange } from './cancel-email-change.js'
import { changeEmail } from './change-email.js'
import { confirmEmailChange } from './confirm-email-change.js'
import { keepEmailChange } from './keep-email-change.js'
import { type AskingPage, askingPage, type DonePage, donePage, keepLink } from './pages.js'
import { releaseEmail } from './release-email.js'
import { emailChangeReply } from './schemas.js'
import { showEmailChange } from './show-email-change.js'
import { undoEmailChange } from './undo-email-change.js'

/** The request for another address, and the links in the emails that follow. */
export function emailChangeRoutes({ where, options, pending: { devices } }: FeatureCore): Route[] {
  return [
    route({
      name: 'change-email',
      action: 'change-email',
      method: 'POST',
      path: '/change-email/',
      operation: {
        id: 'changeEmail',
        host: 'updateUser()',
        summary: 'Email a link to a new address',
        asks: ['changeEmail'],
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'owner',
      budget: null,
      schema: { body: emailBody, response: { 202: detailReply } },
      async handle({ body, who }, deps) {
        await changeEmail(deps, who.user, body)
        return { status: 202, message: 'change_email' }
      },
    }),
    route({
      name: 'change-email',
      action: 'show-email-change',
      method: 'GET',
      path: '/change-email/',
      operation: {
        id: 'showEmailChange',
        host: 'choice',
        summary: 'Show the address that awaits confirmation',
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: emailChangeReply } },
      async handle({ who }, deps) {
        return { body: await showEmailChange(deps, who.user) }
      },
    }),
    route({
      name: 'change-email',
      action: 'cancel-email-change',
      method: 'DELETE',
      path: '/change-email/',
      operation: { id: 'cancelEmailChange', host: 'choice', summary: 'Cancel a change of address', asks: [] },
      // It only takes away what a thief may have asked for.
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 204: noReply } },
      async handle({ who }, deps) {
        await cancelEmailChange(deps, who.user)
        return {}
      },
    }),
    ...emailLinkRoutes({
      name: 'email-confirm',
      action: 'confirm-email',
      path: '/email/',
      purpose: 'change-email',
      show: { id: 'checkEmailChange', summary: 'Show the page that changes the address' },
      use: {
        id: 'confirmEmailChange',
        summary: 'Change the email address by a link',
        asks: ['signUp'],
        errors: ['ACCOUNTS_EMAIL_TAKEN'],
      },
      // Whether an account that was never proven is opened by its maker.
      access: 'anyone-known',
      change: ({ params, who, client }, address, deps) =>
        confirmEmailChange(deps, client, params, address, isMoversBrowser(deps, client, who)),
      asks: 'email_change',
      tells: 'email_changed',
    }),
    ...emailLinkRoutes({
      name: 'email-undo',
      action: 'undo-email',
      path: '/email/undo/',
      purpose: 'undo-email',
      show: { id: 'checkEmailUndo', summary: 'Show the page that undoes a change' },
      use: {
        id: 'undoEmailChange',
        summary: 'Undo a change of the email address by a link',
        errors: ['ACCOUNTS_EMAIL_TAKEN'],
      },
      removes: (user) => removedBy(user, ownershipChanges('locked', user, options) ?? {}, devices),
      change: ({ params }, address, deps) => undoEmailChange(deps, devices, params, address),
      asks: 'email_undo',
      below: (theme, { uid64, token }, email) =>
        keepLink(theme, `${where.path('email-keep', { uid64, token })}?${new URLSearchParams({ email })}`),
      tells: 'email_undone',
    }),
    ...emailLinkRoutes({
      name: 'email-keep',
      action: 'keep-email',
      path: '/email/keep/',
      purpose: 'undo-email',
      show: { id: 'checkEmailKeep', summary: 'Show the page that keeps the new address' },
      use: {
        id: 'keepEmailChange',
        summary: 'Keep the new address: the undo link of an email change stops working',
      },
      change: ({ params }, address, deps) => keepEmailChange(deps, params, address),
      asks: 'email_keep',
      tells: 'email_kept',
    }),
    ...emailLinkRoutes({
      name: 'email-release',
      action: 'release-email',
      path: '/email/release/',
      purpose: 'release-email',
      show: { id: 'checkEmailRelease', summary: 'Show the page that removes an address from an account' },
      use: { id: 'releaseEmail', summary: 'Remove a new address from an account, by the link emailed to it' },
      change: ({ params }, address, deps) => releaseEmail(deps, params, address),
      asks: 'email_release',
      tells: 'email_released',
    }),
  ]
}

/** A link about an address. */
function emailLinkRoutes(
  link: Pick<Route, 'name' | 'action' | 'path'> & {
    purpose: 'change-email' | 'undo-email' | 'release-email'
    show: Pick<OperationFacts, 'id' | 'summary'>
    use: Pick<OperationFacts, 'id' | 'summary' | 'asks' | 'errors'>
    /** Of the POST. Default `anyone`. */
    access?: 'anyone-known'
    /** What it will take from the account, other than the password. Default: nothing. */
    removes?(user: StoredUser): Removed | null
    change(
      input: Input<{ params: typeof linkParams }, 'anyone-known'>,
      address: EmailAddress,
      deps: FeatureCore,
    ): Promise<StoredUser>
    asks: AskingPage
    /** What the page that asks has below its button, as HTML. Default: nothing. */
    below?(theme: PageTheme, parts: LinkParams, email: string): string
    /** Both the page and the text for other clients. */
    tells: DonePage
  },
): Route[] {
  const { show, use, access = 'anyone', removes, change, asks, below, tells, ...names } = link
  const query = { email: 'The address, as the link says it' }
  return linkRoutes({
    ...names,
    addressOf: emailOf,
    show: {
      operation: { ...show, query },
      reply: removes ? removingLinkReply : linkReply,
      handle({ user, params, query }, { options }) {
        const removed = removes?.(user) ?? null
        const facts = { username: shownName(options, user), email: emailOf(query), removed }
        return {
          body: { valid: true, ...(removed && { removes: removed }) },
          page: (theme) => askingPage(asks, theme, facts, below?.(theme, params, facts.email) ?? ''),
        }
      },
    },
    use: {
      operation: { ...use, query },
      access,
      schema: { response: { 200: removes ? removedReply : detailReply } },
      async handle(input, deps) {
        const email = emailOf(input.query)
        const address = parseEmail(email)
        if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
        const user = await change(input, address, deps)
        input.client.note({ user })
        const removed = removes ? removedLately(user) : null
        const facts = { username: shownName(deps.options, user), email, removed }
        return { message: tells, removed, page: (theme) => donePage(tells, theme, facts) }
      },
    },
  })
}

/**
 * The address that a link has in its query. The token was made for this exact text; other parameters, which
 * mail clients add, do no harm, and neither do marks behind the address, which never ends with one.
 */
function emailOf({ email }: Record<string, unknown>): string {
  if (typeof email !== 'string') throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return email.replace(/[\p{P}\p{S}\p{Z}]{1,9}$/u, '')
}
