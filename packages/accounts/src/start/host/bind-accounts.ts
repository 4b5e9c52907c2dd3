import type { LinkKind } from '../../emails/mail-links.js'
import type { FeatureCalls } from '../../feature-names.js'
import {
  type AnyCall,
  type FeatureHost,
  type HostOperation,
  type HostOperations,
  hostCall,
} from '../../features/host.js'
import { endUserSessions } from '../../features/staff/end-user-sessions.js'
import type { MountCore } from '../../http/feature-core.js'
import type { AuditTrail } from '../../http/guard/audit.js'
import { fail } from '../../options/checks.js'
import type { SessionList } from '../../sessions/session-list.js'
import type { Purpose } from '../../tokens/email-link.js'
import { accountUser, type User } from '../../user.js'
import { isFound, onUser } from '../../users/host-accounts.js'
import type { Accounts } from '../accounts.js'
import { bindCall, checkId } from './bind-call.js'
import { createPasswordLink } from './create-password-link.js'
import { createUserByHost } from './create-user-by-host.js'
import { deleteUserByHost } from './delete-user-by-host.js'
import { findUser } from './find-user.js'
import type { HostHooks } from './host-hooks.js'
import { listSessionsByHost } from './list-sessions-by-host.js'
import { listUsersByHost } from './list-users-by-host.js'
import { mailByHost } from './mail-by-host.js'
import { secureUserByHost } from './secure-user-by-host.js'
import { setPassword } from './set-password.js'
import { updateUserByHost } from './update-user-by-host.js'

/** What the host's calls work with. */
interface HostParts {
  core: MountCore
  audit: AuditTrail
  /** Where links lead. */
  linkKinds: Readonly<Record<Purpose, LinkKind>>
  /** What features add. */
  host: Required<FeatureHost>
  /** Their hooks. */
  featureHooks: object
  /** The members that are no calls about an account. */
  own: OwnMembers
}

type OwnMembers = Pick<Accounts, keyof HostHooks | 'check' | 'events' | 'perform'>

/** The calls of the core that need nothing but the frame. */
type CoreCalls = Omit<Accounts, keyof OwnMembers | keyof FeatureCalls | 'createUser' | 'mail'>

type Operations<Calls> = { readonly [Name in keyof Calls]: HostOperations<Calls[Name]> }

/** Binds the host's calls to what the plugin has assembled. */
export function bindAccounts({ core, audit, linkKinds, host, featureHooks, own }: HostParts): Accounts {
  const bindAll = (operations: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [
        name,
        isOperation(operation)
          ? bindCall(prefix + name, operation, audit, core)
          : bindAll(operation, `${prefix}${name}.`),
      ]),
    )
  const bind = <Calls>(operations: Operations<Calls>): Calls => bindAll(operations, '') as Calls
  const accounts: Omit<Accounts, keyof FeatureCalls> = {
    ...own,
    ...bind<CoreCalls>(coreOperations(linkKinds, host)),
    createUser: (input, { before, ...call } = {}) =>
      bind<Pick<Accounts, 'createUser'>>({
        createUser: hostCall(
          'create-user',
          [null],
          (own) => async () => accountUser(await createUserByHost(own, input, { before })),
          ({ id }) => id,
        ),
      }).createUser(input, call),
    async mail(kind, userId, ...data) {
      checkId('mail', 'userId', userId)
      return mailByHost(core, kind, userId, data[0])
    },
  }
  const bound = withHooks(bind<FeatureCalls>(host.calls as Operations<FeatureCalls>), featureHooks)
  const taken = Object.keys(bound).find((name) => Object.hasOwn(accounts, name))
  if (taken !== undefined) fail('features', `has one that brings the call ${taken}, and so does the plugin`)
  return { ...accounts, ...bound }
}

const isOperation = (value: object): value is HostOperation<AnyCall> => Object.hasOwn(value, 'run')

/** A group of hooks joins the calls of the same name. */
function withHooks(calls: FeatureCalls, hooks: object): FeatureCalls {
  const all: Record<string, unknown> = { ...calls }
  for (const [name, own] of Object.entries(hooks)) {
    const { [name]: group = {} } = all
    const isTaken = Object.hasOwn(all, name) && [own, group].some((each) => typeof each === 'function')
    if (isTaken) fail('features', `has one that brings the hook ${name}, and there is a call of that name`)
    all[name] = typeof own === 'function' ? own : { ...own, ...(group as object) }
  }
  return all as unknown as FeatureCalls
}

const seen = (user: User | null) => user && accountUser(user)

/** `Accounts` says what each does. */
function coreOperations(
  linkKinds: HostParts['linkKinds'],
  { findByIdentity }: HostParts['host'],
): Operations<CoreCalls> {
  return {
    findUser: hostCall(
      'show-user',
      [null],
      (core) => async (query) => seen(await findUser(core, findByIdentity, query)),
      (user) => user?.id,
    ),
    listUsers: hostCall('list-users', [null], (core) => async (query = {}) => {
      const { users, next } = await listUsersByHost(core, query)
      return { users: users.map(accountUser), next }
    }),
    updateUser: hostCall(
      'update-user',
      ['userId', null],
      (core) => async (userId, update) => seen(await updateUserByHost(core, userId, update)),
    ),
    setPassword: hostCall(
      'set-password',
      ['userId', null],
      (core) => (userId, password) => setPassword(core, userId, password),
    ),
    createPasswordLink: hostCall(
      'create-password-link',
      ['userId'],
      (core) => (userId) => createPasswordLink(core, linkKinds['password-link'], userId),
    ),
    listSessions: hostCall(
      'list-sessions',
      ['userId'],
      (core) => async (userId) => listSessionsByHost(core, sessionListOf(core), userId),
    ),
    endSession: hostCall('end-session', ['userId', 'sessionId'], (core) => async (userId, sessionId) => {
      const sessions = sessionListOf(core)
      const wasThere = await onUser(core, userId, (user) => sessions.end(null, user, sessionId))
      if (wasThere) core.events.tell('session.ended', { id: userId }, {})
      return wasThere ?? false
    }),
    endUserSessions: hostCall(
      'end-user-sessions',
      ['userId'],
      (core) => (userId) => isFound(() => endUserSessions(core, 'host', userId)),
    ),
    secureUser: hostCall(
      'secure-user',
      ['userId', null],
      (core) => (userId, input) => secureUserByHost(core, userId, input),
    ),
    deleteUser: hostCall('delete-user', ['userId'], (core) => (userId) => deleteUserByHost(core, userId)),
  }
}

/** @throws Error for a mount whose sessions are kept by the host's own @fastify/session */
function sessionListOf({ keeper: { list } }: Pick<MountCore, 'keeper'>): SessionList {
  if (list === undefined)
    throw new Error(
      'fastify-accounts: sessions can only be listed in a sessionStore, which the app’s own @fastify/session replaces',
    )
  return list
}
