import { AccountsError } from '../../errors.js'
import type { Accounts, AccountsOptions, Mailer, UserStore } from '../../index.js'
import type { StoredUser } from '../../user.js'
import { type InvitationRules, invitationState } from './invitees.js'

/** Invites imported users. */
export interface Inviter {
  /** @returns why the user was not invited; `null` if they are, now or before, or don't need it anymore */
  invite(user: StoredUser): Promise<string | null>
}

/** How long an email that is sent from here may take, with all attempts, in milliseconds. */
const mailTimeout = 60_000

/** @throws Error of one line if the app can't invite */
export function assertInvites(
  source: string,
  { features = [], mailer, secret, baseUrl }: Partial<AccountsOptions>,
): void {
  const isThere = (features as readonly { name: string }[]).some(({ name }) => name === 'invitations')
  const missing = [
    ...(isThere ? [] : ['invitations() in features']),
    ...Object.entries({ mailer, secret, baseUrl }).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    ),
  ]
  if (missing.length > 0)
    throw new Error(`--invite needs the app's options, and ${source} lacks ${missing.join(', ')}`)
}

/**
 * Runs with an inviter. Emails wait in the outbox; without one they are sent from here, one at a time in each batch
 * under way.
 */
export async function withInviter<T>(
  options: Partial<AccountsOptions> & { userStore: UserStore },
  rules: InvitationRules,
  work: (inviter: Inviter) => Promise<T>,
): Promise<T> {
  const { mailer, userStore } = options
  const sent = new Map<string, (fault: string | null) => void>()
  const isDirect = userStore.outbox === undefined
  const required = await requiredFields(options)
  // Loading the plugin takes a second, which imports without invitations should skip.
  const { withAccounts } = await import('../with-accounts.js')
  return withAccounts(
    {
      ...options,
      ...(isDirect && mailer !== undefined && { mailer: reporting(mailer, (id) => sent.get(id)?.(null)) }),
    },
    (accounts) => {
      accounts.events.on('mail-failed', ({ userId, error }) => sent.get(userId ?? '')?.(String(error)))
      return work({
        async invite({ id }) {
          // A line may be there twice, or somebody else may be importing the same file.
          const user = await userStore.findById(id)
          if (user === null || invitationState(user, rules) !== 'invited') return null
          const outcome = isDirect ? outcomeOf(sent, id) : null
          const refusal = await inviteOne(accounts, user, required)
          if (refusal !== null) sent.get(id)?.(null)
          const fault = refusal ?? (await outcome)
          sent.delete(id)
          // The next run tries again.
          if (fault !== null && isDirect) await accounts.withdrawInvitation(id)
          return fault
        },
      })
    },
  )
}

async function inviteOne(
  accounts: Accounts,
  { email, fields }: StoredUser,
  required: readonly string[],
): Promise<string | null> {
  const entries = required.flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as const],
  )
  try {
    await accounts.invite(
      { email: email ?? '', fields: Object.fromEntries(entries) },
      { reason: 'import --invite' },
    )
    return null
  } catch (error) {
    if (!(error instanceof AccountsError) || error.fields === undefined) throw error
    return error.fields.map(({ field, code }) => `${field}: ${code}`).join('; ')
  }
}

/** Those without which nobody is invited: the account has them already. */
async function requiredFields({ users }: Partial<AccountsOptions>): Promise<string[]> {
  const fields = typeof users === 'object' ? users.fields : undefined
  if (fields === undefined) return []
  const { compileFields } = await import('../../validation.js')
  return compileFields(fields)({}).map(({ field }) => field)
}

function outcomeOf(sent: Map<string, (fault: string | null) => void>, id: string): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('the email took too long'), mailTimeout)
    sent.set(id, (fault) => {
      clearTimeout(timer)
      resolve(fault)
    })
  })
}

function reporting(mailer: Mailer, onSent: (userId: string) => void): Mailer {
  return {
    async send(mail, ...more) {
      await mailer.send(mail, ...more)
      onSent(mail.userId ?? '')
    },
  }
}
