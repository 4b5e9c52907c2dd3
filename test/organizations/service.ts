import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { type OrganizationStore, organizations } from '@fastify-accounts/organizations'
import { cheapHasher, goodPassword, outbox, secret } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
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
  organizations: OrganizationStore
  disconnect(): Promise<void>
}

/** Where the users are, and the organizations, if those are elsewhere. */
export interface Places {
  users: Place
  organizations?: Place
}

/** The stores of one process. */
export async function openStores({ users: place, organizations: other }: Places): Promise<Stores> {
  const db = await connect(place)
  const otherDb = other && (await connect(other))
  const userStore = createKyselyUserStore({ db })
  return {
    users: userStore,
    sessions: createKyselySessionStore({ db, userStore }),
    invitations: createKyselyInvitationStore({ db, userStore }),
    organizations: otherDb
      ? createKyselyOrganizationStore({ db: otherDb })
      : createKyselyOrganizationStore({ db, userStore }),
    async disconnect() {
      await db.destroy()
      await otherDb?.destroy()
    },
  }
}

/** Roles inside an organization. */
export const inside = {
  owner: ['org:*'],
  admin: ['org:edit', 'members:invite', 'members:edit', 'projects:read', 'projects:write'],
  inviter: ['members:invite', 'projects:read'],
  member: ['projects:read'],
  auditor: [],
} as const

export interface Service {
  app: FastifyInstance
  mails: Mail[]
}

/** An app with routes of its own inside organizations. */
export async function startService(
  { users, sessions, invitations: invitationStore, organizations: store }: Omit<Stores, 'disconnect'>,
  options: Partial<AccountsOptions> = {},
): Promise<Service> {
  const app = Fastify({ pluginTimeout: 0 })
  const mailer = outbox()
  await app.register(accounts, {
    secret,
    baseUrl: 'http://localhost:3000',
    users: { variant: 'both' },
    roles: {
      support: ['orgs:read'],
      chief: ['orgs:read', 'orgs:manage', 'users:read', 'users:disable', 'users:delete'],
    },
    // One user owns the organizations of every trial.
    features: [invitations(), organizations({ roles: inside, store, limits: { organizations: 1000 } })],
    userStore: users,
    sessionStore: sessions,
    invitationStore,
    passwordHasher: cheapHasher(),
    throttle: false,
    session: { newDeviceMail: false },
    // On a busy machine a call may take seconds.
    adapterTimeout: 60_000,
    mailer,
    ...options,
  })
  const { requireMember, membershipOf } = app.accounts.organizations
  app.get(
    '/o/:organization/projects',
    { onRequest: requireMember('projects:read') },
    async (request) => membershipOf(request).roles,
  )
  app.post(
    '/o/:organization/projects',
    { onRequest: requireMember('projects:write') },
    async (request) => membershipOf(request).roles,
  )
  return { app, mails: mailer.mails }
}

/** A user whose address is proven. */
export async function makeUser({ app }: Service, username: string, roles: string[] = []): Promise<string> {
  const { id } = await app.accounts.createUser({
    ...{ username, email: emailOf(username), password: goodPassword, isVerified: true, roles },
  })
  return id
}

export const emailOf = (username: string): string => `${username}@example.org`

/** Their cookie. */
export async function logIn({ app }: Service, username: string): Promise<string> {
  const payload = { username, password: goodPassword }
  const login = await app.inject({ method: 'POST', url: '/login/', payload })
  const [cookie] = String(login.headers['set-cookie']).split(';')
  if (login.statusCode !== 200 || cookie === undefined) throw new Error(login.body)
  return cookie
}

/** What is wrong with an organization, whatever has happened to it; `null` if it is gone. */
export async function faultsOf(
  { users, organizations: store }: Pick<Stores, 'users' | 'organizations'>,
  id: string,
): Promise<string[] | null> {
  const organization = await store.find({ id })
  if (organization === null) return null
  const members = await store.listMembers(id, { limit: 1000 })
  const owners = members.filter(({ roles }) => roles.includes('owner'))
  const known = await Promise.all(members.map(({ userId }) => users.findById(userId)))
  const faults: string[] = []
  if (owners.length === 0) faults.push('has no owner')
  if (!owners.some(({ userId }) => known.some((user) => user?.id === userId)))
    faults.push('has no owner who exists')
  if (known.includes(null)) faults.push('has a member who is gone')
  if (organization.members !== members.length)
    faults.push(`counts ${organization.members} members of ${members.length}`)
  if (organization.owners !== owners.length)
    faults.push(`counts ${organization.owners} owners of ${owners.length}`)
  return faults
}
