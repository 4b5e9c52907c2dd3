import { AccountsError } from '../../errors.js'
import type { AccountsOptions, InvitationStore, Mailer, UserStore } from '../../index.js'
import type { StoredUser } from '../../user.js'
import { isExpired } from '../../users/invitations/invitation.js'
import { hasInvitations } from '../has-invitations.js'
import { mountOf } from '../project.js'
import { type InvitationCounts, type InvitationRules, invitationState } from './invitees.js'
import { createMailOutcomes } from './mail-outcomes.js'

/** What has become of a user: `null` if they have a way to log in. */
type Outcome = keyof InvitationCounts | null | { fault: string }

/** Invites imported users. */
export interface Inviter {
  invite(user: StoredUser): Promise<Outcome>
}

type InvitingOptions = Partial<AccountsOptions> & {
  userStore: UserStore
  invitationStore: InvitationStore
  mailer: Mailer
}

/** @throws Error of one line if the app can't invite */
export function invitingOptions(
  source: string,
  options: Partial<AccountsOptions> & { userStore: UserStore },
): InvitingOptions {
  const { mailer, secret, baseUrl, invitationStore } = options
  const missing = [
    ...(hasInvitations(options) ? [] : ['invitations() in features']),
    ...Object.entries({ mailer, secret, baseUrl, invitationStore }).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    ),
  ]
  if (mailer === undefined || invitationStore === undefined || missing.length > 0)
    throw new Error(`--invite needs the app's options, and ${source} lacks ${missing.join(', ')}`)
  return { ...options, mailer, invitationStore }
}

/**
 * Runs with an inviter. Emails wait in the outbox; without one they are sent from here, one at a time in each batch
 * under way.
 */
export async function withInviter<T>(
  options: InvitingOptions,
  rules: InvitationRules,
  work: (inviter: Inviter) => Promise<T>,
): Promise<T> {
  const { mailer, userStore } = options
  const outcomes = userStore.outbox === undefined ? createMailOutcomes() : null
  const required = await requiredFields(options)
  // Loading the plugin takes a second, which imports without invitations should skip.
  const { withAccounts } = await import('../with-accounts.js')
  return withAccounts(
    { ...options, ...(outcomes && { mailer: reporting(mailer, outcomes.sent) }) },
    (accounts) => {
      accounts.events.on('mail-failed', ({ subject, error }) => {
        if (subject !== undefined) outcomes?.failed(subject, String(error))
      })
      return work({
        async invite({ id, emailKey }) {
          // Before the user, who is verified once it has been accepted.
          if (await isInvited(options, emailKey)) return 'invitedBefore'
          // A line may be there twice, or somebody else may be importing the same file.
          const user = await userStore.findById(id)
          const state = user && invitationState(user, rules)
          if (user === null || state !== 'invited') return state
          const email = user.email ?? ''
          const fields = Object.fromEntries(
            Object.entries(user.fields).filter(([name]) => required.includes(name)),
          )
          const invite = () => accounts.invite({ email, fields }, { reason: 'import --invite' })
          try {
            if (outcomes === null) {
              await invite()
              return 'invited'
            }
            const { invitation, fault } = await outcomes.after(email, invite)
            if (fault === null) return 'invited'
            // The next run tries again.
            await accounts.withdrawInvitation(invitation.id)
            return { fault }
          } catch (error) {
            return refusalIn(error)
          }
        },
      })
    },
  )
}

/** Whether the app's own code has an open invitation of the address. */
async function isInvited(options: InvitingOptions, emailKey: string | null): Promise<boolean> {
  const found = emailKey === null ? [] : await options.invitationStore.listByEmail(emailKey)
  const target = mountOf(options)
  return found.some((each) => each.target === target && each.inviterId === null && !isExpired(each))
}

/** @throws the error, if it isn't about this user */
function refusalIn(error: unknown): Outcome {
  if (!(error instanceof AccountsError) || error.statusCode >= 500) throw error
  const { code, reason, fields, message } = error
  if (reason === 'changed_meanwhile') return 'invitedBefore'
  if (code === 'ACCOUNTS_THROTTLED') return { fault: 'too many emails to this address; try again later' }
  return { fault: fields?.map(({ field, code }) => `${field}: ${code}`).join('; ') ?? message }
}

/** Those without which nobody is invited: the account has them already. */
async function requiredFields({ users }: Partial<AccountsOptions>): Promise<string[]> {
  const fields = typeof users === 'object' ? users.fields : undefined
  if (fields === undefined) return []
  const { compileFields } = await import('../../validation.js')
  return compileFields(fields)({}).map(({ field }) => field)
}

function reporting(mailer: Mailer, onSent: (address: string) => void): Mailer {
  return {
    async send(mail, ...more) {
      await mailer.send(mail, ...more)
      onSent(mail.to.address)
    },
  }
}
