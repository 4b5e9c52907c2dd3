import { createKyselyInvitationStore } from '@fastify-accounts/kysely'
import { cheapHasher, outbox, secret } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import { storesAt } from '@fastify-accounts/test-support/shared-place'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type AccountsOptions,
  type InvitationStore,
  invitations,
  type Mail,
  type SessionStore,
  type UserStore,
} from 'fastify-accounts'

export interface Stores {
  users: UserStore
  sessions: SessionStore
  invitations: InvitationStore
  disconnect(): Promise<void>
}

/** The stores of one process. Without an outbox, each process delivers the emails it posts. */
export async function openStores(place: Place): Promise<Stores> {
  const { users, sessions, disconnect } = await storesAt(place, undefined)
  const db = await connect(place)
  return {
    users,
    sessions,
    invitations: createKyselyInvitationStore({ db }),
    async disconnect() {
      await disconnect()
      await db.destroy()
    },
  }
}

export interface Service {
  app: FastifyInstance
  mails: Mail[]
}

export async function startService(
  { users, sessions, invitations: invitationStore }: Omit<Stores, 'disconnect'>,
  options: Partial<AccountsOptions> = {},
): Promise<Service> {
  const app = Fastify({ pluginTimeout: 0 })
  const mailer = outbox()
  await app.register(accounts, {
    secret,
    baseUrl: 'http://localhost:3000',
    users: { variant: 'both', fields: { type: 'object', properties: { team: { type: 'string' } } } },
    roles: { editor: ['posts:write'], recruiter: ['users:invite', 'users:grant', 'posts:write'] },
    features: [invitations()],
    userStore: users,
    sessionStore: sessions,
    invitationStore,
    passwordHasher: cheapHasher(),
    throttle: false,
    session: { newDeviceMail: false },
    mailer,
    ...options,
  })
  return { app, mails: mailer.mails }
}
