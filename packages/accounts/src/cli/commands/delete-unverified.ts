import { AccountsError } from '../../errors.js'
import type { Feature } from '../../features/feature.js'
import type { Accounts, AccountsOptions, StoredUser, User, UserStore } from '../../index.js'
import { isExpired } from '../../users/invitations/invitation.js'
import { isRemainder } from '../../users/ownership/states.js'
import { type Call, type Command, configOption, textOf, UsageError } from '../command.js'
import { type CommandEvents, commandEvents } from '../command-events.js'
import { daysAgo } from '../days.js'
import { type Project, withProject } from '../project.js'

/** How many users are read at once. */
const pageSize = 200

export const deleteUnverified: Command = {
  name: 'delete-unverified',
  summary: 'delete users who never verified their address',
  options: {
    'older-than': {
      type: 'string',
      value: 'days',
      description: 'required: only users who signed up, and last logged in, more than this many days ago',
    },
    yes: { type: 'boolean', description: 'delete them instead of only counting' },
    ...configOption,
  },
  notes: [
    'Keeps staff, users with roles, users without an address, users verified in the meantime, and those with an open invitation.',
    'Also deletes signups with an address that another account has: such a user has no address, and nobody sees it.',
    'Also deletes what is left of an account that was replaced, if its deletion failed.',
    'Users imported without isVerified are unverified as well.',
  ],
  async run({ values, cwd }: Call) {
    const before = daysAgo(values, 'older-than', 1)
    if (before === undefined) throw new UsageError('--older-than is required')
    return withProject({ cwd, config: textOf(values, 'config') }, async (project) => {
      const { options, userStore } = project
      if (values.yes === true) await project.assertWhole()
      let found = 0
      let deleted = 0
      const eachFound = async (work: (user: User) => Promise<boolean>): Promise<void> => {
        for await (const user of stale(userStore, before)) {
          if (await isInvited(options, user)) continue
          found += 1
          if (await work(user)) deleted += 1
        }
      }
      if (values.yes !== true) {
        await eachFound(async () => false)
        const hint = found === 0 ? '' : '; --yes deletes them'
        return { lines: [`unverified: ${found}${hint}`], data: { unverified: found } }
      }
      const events = await commandEvents(project)
      // Most have nothing of a feature, but one whose address staff no longer vouch for may.
      if (hasDeletion(options)) {
        const { withAccounts } = await import('../with-accounts.js')
        await withAccounts(options, (accounts) =>
          eachFound((user) => remove(project, events, user, accounts)),
        )
      } else await eachFound((user) => remove(project, events, user))
      const kept = found - deleted
      return {
        lines: [
          `deleted: ${deleted}`,
          ...(kept > 0 ? [`kept, because they changed in the meantime or must stay: ${kept}`] : []),
        ],
        data: { deleted, kept },
      }
    })
  },
}

/** Whether a feature does something along with a deletion. They provide more than the type of the option says. */
const hasDeletion = ({ features = [] }: Partial<AccountsOptions>): boolean =>
  (features as readonly Feature[]).some(({ deletion }) => deletion !== undefined)

/** Users who never confirmed their address and weren't seen since `before`. */
async function* stale(users: UserStore, before: Date): AsyncGenerator<User> {
  if (users.list === undefined) throw new UsageError('the user store cannot list users')
  const byCreation = users.listsBy?.includes('createdAt') === true
  const narrowed = {
    ...(byCreation && { order: { by: 'createdAt' } as const }),
    ...(users.listsBy?.includes('flags') && { where: { isVerified: false, isStaff: false } }),
  }
  for (let after: User | undefined; ; ) {
    const page = await users.list({ limit: pageSize, after, ...narrowed })
    for (const user of page) {
      if (user.createdAt >= before) {
        // The following ones are all too recent.
        if (byCreation) return
        continue
      }
      const seenAt = user.lastLoginAt ?? user.createdAt
      if (isMeant(user) && seenAt < before) yield user
    }
    after = page.at(-1)
    if (after === undefined) return
  }
}

/** Whether an invitation of the address is open: accepting it makes the account theirs. */
async function isInvited(
  { invitationStore }: Pick<Partial<AccountsOptions>, 'invitationStore'>,
  { emailKey }: User,
): Promise<boolean> {
  if (invitationStore === undefined || emailKey === null) return false
  const found = await invitationStore.listByEmail(emailKey)
  return found.some((invitation) => !isExpired(invitation))
}

/** Whether the command is meant for such a user: one who never confirmed an address, or never can. */
function isMeant(user: StoredUser): boolean {
  if (user.kind !== 'person') return user.kind === 'unclaimed'
  if (isRemainder(user)) return true
  return !user.isVerified && !user.isStaff && user.roles.length === 0 && user.email !== null
}

/**
 * Deletes a user who is unchanged since they were read. Deletions check no version, so an update that does
 * comes first: it fails if the address was confirmed, or the user logged in, meanwhile, and ends every link
 * and session that could do so afterwards. If the deletion fails, the user stays disabled, and the next run
 * deletes them.
 * @param accounts with features that do something along with the deletion of an account; one that they don't let go stays, but its
 * sessions and links have ended
 */
async function remove(
  { userStore: users, options }: Project,
  events: CommandEvents,
  user: User,
  accounts?: Pick<Accounts, 'deleteUser'>,
): Promise<boolean> {
  const { id, version, sessionEpoch, resetEpoch, verifyEpoch } = user
  const changes = {
    isActive: false,
    sessionEpoch: sessionEpoch + 1,
    resetEpoch: resetEpoch + 1,
    verifyEpoch: verifyEpoch + 1,
  }
  if ((await users.update(id, changes, version)) === null) return false
  const isDeleted =
    accounts === undefined || user.kind !== 'person'
      ? await users.delete(id, events.ofDeletion({ ...user, version: version + 1 }))
      : await accounts.deleteUser(id).catch(async (error: unknown) => {
          if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
          await users.update(id, { isActive: user.isActive }, version + 1)
          return false
        })
  // They have ended already; this removes the personal data in their rows.
  await options.sessionStore?.deleteByUser(id)
  return isDeleted
}
