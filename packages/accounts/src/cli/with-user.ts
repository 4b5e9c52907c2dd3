import { usernameKey } from '../identifiers/username.js'
import type { Accounts, AccountUser, UserStore } from '../index.js'
import { accountUser, type User } from '../user.js'
import { type Call, type CommandOption, configOption, textOf, UsageError } from './command.js'
import { counted } from './counted.js'
import { type Project, withProject } from './project.js'

/** The user that a command was given, and the app to change them with. */
export interface Found {
  accounts: Accounts
  user: AccountUser
  /** Username or address, and id. */
  shown: string
  /** How many sessions the user has; `null` if the config has no session store. */
  sessions: number | null
  project: Project
}

/** Whom a command may be given besides people. */
export interface Lookup {
  /** Service accounts, by username or id. Default `false`. */
  services?: boolean
}

/** For the help text of commands that take a user. */
export const userPositional = { text: '<user>', count: 1 }
export const userNote = '<user> is a username, an email address or an id.'
export const userOptions: Record<string, CommandOption> = {
  by: { type: 'string', value: 'what', description: 'only look for <user> as an id, username or email' },
  ...configOption,
}

const kinds = ['id', 'username', 'email'] as const

/**
 * Finds the user that the first argument names, by username, address or id.
 * @throws Error of one line if there is none, or more than one
 */
export async function withUser<T>(
  { values, positionals: [text = ''], cwd }: Call,
  work: (found: Found) => Promise<T>,
  { services = false }: Lookup = {},
): Promise<T> {
  return withProject({ cwd, config: textOf(values, 'config') }, async (project) => {
    // Loading the plugin takes a second, which other commands should skip.
    const { withAccounts } = await import('./with-accounts.js')
    return withAccounts(project.options, async (accounts) => {
      const by = textOf(values, 'by')
      const service = services ? await findService(project.userStore, text, by) : null
      const user = await findOne(accounts, text, by, service)
      const sessions = (await project.options.sessionStore?.listByUser(user.id))?.length ?? null
      return work({ accounts, user, shown: shownUser(user), sessions, project })
    })
  })
}

/** A username may be someone else's id, or address: imports keep such names. */
async function findOne(
  accounts: Accounts,
  text: string,
  by: string | undefined,
  service: AccountUser | null,
): Promise<AccountUser> {
  const queryKinds = kinds.filter((kind) => by === undefined || kind === by)
  if (queryKinds.length === 0) throw new UsageError(`--by must be id, username or email, got ${by}`)
  const queries: Parameters<Accounts['findUser']>[0][] = [{ id: text }, { username: text }, { email: text }]
  const found = new Map<string, AccountUser>(service === null ? [] : [[service.id, service]])
  for (const query of queries.filter((each) => queryKinds.some((kind) => kind in each))) {
    const user = await accounts.findUser(query)
    if (user !== null) found.set(user.id, user)
  }
  const [user, ...others] = found.values()
  if (user === undefined) throw new Error(`no user has the ${by ?? 'username, address or id'} ${text}`)
  if (others.length > 0) {
    const users = [...found.values()].map(shownUser).join(' and ')
    throw new Error(`${text} could be ${users}: say which with --by id, --by username or --by email`)
  }
  return user
}

async function findService(
  users: UserStore,
  text: string,
  by: string | undefined,
): Promise<AccountUser | null> {
  const isService = (user: User | null): user is User => user?.kind === 'service'
  const isAsked = (kind: string): boolean => by === undefined || by === kind
  const byId = isAsked('id') ? await users.findById(text) : null
  if (isService(byId)) return accountUser(byId)
  const byName = isAsked('username') ? await users.findByUsername(usernameKey(text)) : null
  return isService(byName) ? accountUser(byName) : null
}

/** Imported usernames may contain anything, also terminal control sequences. */
function shownUser({ id, username, email }: AccountUser): string {
  return `${username ?? email} (${id})`.replaceAll(/\p{Cc}+/gu, ' ')
}

/** What every report about a user tells scripts. */
export function dataOf({ user: { id, username, email }, sessions }: Found): object {
  return { id, username, email, sessions }
}

/** `ended: 2 sessions`. */
export function endedSessions({ sessions }: Found): string {
  return `ended: ${sessions === null ? 'all sessions' : counted(sessions, 'session')}`
}

/** For a user whose deletion overtook the command. */
export function deletedMeanwhile({ shown }: Found): Error {
  return new Error(`${shown} was deleted meanwhile`)
}
