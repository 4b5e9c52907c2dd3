import type { LinkKind } from '../../emails/mail-links.js'
import type { HostIdentities } from '../../features/identities.js'
import type { MountCore } from '../../http/feature-core.js'
import type { AuditEvent, AuditTrail } from '../../http/guard/audit.js'
import type { MailKind } from '../../seams/mailer.js'
import type { Purpose } from '../../tokens/email-link.js'
import { accountUser, type User } from '../../user.js'
import type { Accounts } from '../accounts.js'
import { addIdentityByHost } from './add-identity-by-host.js'
import { createApiKeyByHost } from './create-api-key-by-host.js'
import { createPasswordLink } from './create-password-link.js'
import { createServiceByHost } from './create-service-by-host.js'
import { createUserByHost } from './create-user-by-host.js'
import { deleteUserByHost } from './delete-user-by-host.js'
import { endSessionByHost } from './end-session-by-host.js'
import { endUserSessionsByHost } from './end-user-sessions-by-host.js'
import { findUser } from './find-user.js'
import { createHostAudit, type HostCall } from './host-audit.js'
import type { HostHooks } from './host-hooks.js'
import { hostInvitations } from './host-invitations.js'
import { listApiKeysByHost } from './list-api-keys-by-host.js'
import { listIdentitiesByHost } from './list-identities-by-host.js'
import { listServicesByHost } from './list-services-by-host.js'
import { listSessionsByHost } from './list-sessions-by-host.js'
import { listUsersByHost } from './list-users-by-host.js'
import { mailByHost } from './mail-by-host.js'
import { removeApiKeyByHost } from './remove-api-key-by-host.js'
import { removeIdentityByHost } from './remove-identity-by-host.js'
import { resetUserFactorsByHost } from './reset-user-factors-by-host.js'
import { secureUserByHost } from './secure-user-by-host.js'
import { setPassword } from './set-password.js'
import { updateUserByHost } from './update-user-by-host.js'

/** What the host's calls work with. */
interface HostParts {
  core: MountCore
  audit: AuditTrail
  /** Where links lead. */
  linkKinds: Readonly<Record<Purpose, LinkKind>>
  /** `null` if no feature has them. */
  identities: HostIdentities | null
  /** The kind of email about factors that staff have removed; `undefined` if no feature has one. */
  resetMail: MailKind | undefined
}

/** Binds the host's calls to what the plugin has assembled. */
export function bindAccounts({
  core,
  audit,
  linkKinds,
  identities,
  resetMail,
}: HostParts): Omit<Accounts, keyof HostHooks | 'check' | 'events'> {
  const audited = createHostAudit(audit)
  const invitations = hostInvitations(core, linkKinds.invitation)
  /** A call about an account that the host names by its id. */
  const about = <T>(
    action: AuditEvent['action'],
    userId: string,
    call: HostCall | undefined,
    work: () => Promise<T>,
  ): Promise<T> => audited(action, call, work, () => userId)
  const seen = (user: User | null) => user && accountUser(user)

  return {
    createUser: (input, { before, ...call } = {}) =>
      audited(
        'create-user',
        call,
        async () => accountUser(await createUserByHost(core, input, { before })),
        ({ id }) => id,
      ),
    findUser: (query, call) =>
      audited(
        'show-user',
        call,
        async () => seen(await findUser(core, identities, query)),
        ({ id }) => id,
      ),
    listUsers: (query = {}, call) =>
      audited(
        'list-users',
        call,
        async () => {
          const { users, next } = await listUsersByHost(core, query)
          return { users: users.map(accountUser), next }
        },
        () => null,
      ),
    updateUser: (userId, update, call) =>
      about('update-user', userId, call, async () => seen(await updateUserByHost(core, userId, update))),
    setPassword: (userId, password, call) =>
      about('set-password', userId, call, () => setPassword(core, userId, password)),
    createPasswordLink: (userId, call) =>
      about('create-password-link', userId, call, () =>
        createPasswordLink(core, linkKinds['password-link'], userId),
      ),
    listSessions: (userId, call) =>
      about('list-sessions', userId, call, () => listSessionsByHost(core, userId)),
    endSession: (userId, sessionId, call) =>
      about('end-session', userId, call, () => endSessionByHost(core, userId, sessionId)),
    endUserSessions: (userId, call) =>
      about('end-user-sessions', userId, call, () => endUserSessionsByHost(core, userId)),
    resetUserFactors: (userId, call) =>
      about('reset-factors', userId, call, () => resetUserFactorsByHost(core, userId, resetMail)),
    secureUser: (userId, call) => about('secure-user', userId, call, () => secureUserByHost(core, userId)),
    listIdentities: (userId, call) =>
      about('list-identities', userId, call, () => listIdentitiesByHost(core, identities, userId)),
    addIdentity: (userId, identity, call) =>
      about('link-identity', userId, call, () => addIdentityByHost(core, identities, userId, identity)),
    removeIdentity: (userId, id, call) =>
      about('remove-identity', userId, call, () => removeIdentityByHost(core, identities, userId, id)),
    deleteUser: (userId, call) => about('delete-user', userId, call, () => deleteUserByHost(core, userId)),
    invite: async (input, call) => {
      // An address with an account is no failure.
      const invited = async () => ({ invitation: await invitations.invite(input) })
      const { invitation } = await audited('invite', call, invited, (made) => made.invitation?.id ?? null)
      return invitation
    },
    listInvitations: (query = {}, call) =>
      audited(
        'list-invitations',
        call,
        () => invitations.list(query),
        () => null,
      ),
    resendInvitation: (id, call) => about('resend-invitation', id, call, () => invitations.resend(id)),
    withdrawInvitation: (id, call) => about('withdraw-invitation', id, call, () => invitations.withdraw(id)),
    createService: (input, call) =>
      audited(
        'create-service',
        call,
        () => createServiceByHost(core, input),
        ({ id }) => id,
      ),
    listServices: (query = {}, call) =>
      audited(
        'list-services',
        call,
        () => listServicesByHost(core, query),
        () => null,
      ),
    createApiKey: (userId, input, call) =>
      about('create-api-key', userId, call, () => createApiKeyByHost(core, userId, input)),
    listApiKeys: (userId, call) =>
      about('list-api-keys', userId, call, () => listApiKeysByHost(core, userId)),
    removeApiKey: (userId, keyId, call) =>
      about('remove-api-key', userId, call, () => removeApiKeyByHost(core, userId, keyId)),
    mail: (kind, userId, ...data) => mailByHost(core, kind, userId, data[0]),
  }
}
