import {
  createMemoryOrganizationStore,
  type Membership,
  type OrganizationStore,
  type OrganizationsOptions,
  organizations,
} from '@fastify-accounts/organizations'
import {
  baseUrl,
  cheapHasher,
  goodPassword,
  logIn,
  outbox,
  secret,
  type TestApp,
} from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import accounts, { type AccountsOptions, apiKeys, createMemoryUserStore, invitations } from 'fastify-accounts'
import { onTestFinished } from 'vitest'

export const roles = {
  owner: ['org:*'],
  editor: ['projects:read', 'projects:write'],
  reader: ['projects:read'],
  guest: [],
} as const

export interface MemberApp {
  app: FastifyInstance
  store: OrganizationStore
  send: TestApp['send']
  /** Creates somebody whose address is proven, and logs them in. */
  person(name: string): Promise<{ id: string; cookie: string }>
  /** Creates an organization with these members, by user id. */
  found(slug: string, members: Record<string, readonly string[]>): Promise<string>
  /** Gives a member roles, or ends the membership with `null`. */
  change(organizationId: string, userId: string, roles: readonly string[] | null): Promise<void>
}

/**
 * An app with organizations in memory.
 * @param routes registers routes of the app, after the plugin
 */
export async function memberApp(
  routes: (app: FastifyInstance) => unknown = () => {},
  { of, ...given }: Partial<AccountsOptions> & Pick<OrganizationsOptions, 'of'> = {},
  server: FastifyServerOptions = {},
): Promise<MemberApp> {
  const app = Fastify(server)
  onTestFinished(() => app.close())
  const store = createMemoryOrganizationStore()
  await app.register(accounts, {
    ...{ secret, baseUrl, users: true, mailer: outbox(), throttle: false },
    userStore: createMemoryUserStore(),
    passwordHasher: cheapHasher(),
    features: [invitations(), organizations({ roles, store, of }), apiKeys({ scopes: ['projects'] })],
    ...given,
  })
  await routes(app)
  const send: MemberApp['send'] = (method, url, payload, extra = {}) =>
    app.inject({ ...extra, ...(method && { method }), url, ...(payload && { payload }) })
  return {
    app,
    store,
    send,
    async person(username) {
      const email = `${username}@example.org`
      const { id } = await app.accounts.createUser({
        username,
        email,
        password: goodPassword,
        isVerified: true,
      })
      return { id, cookie: await logIn({ send }, username) }
    },
    async found(slug, members) {
      const id = `org_${slug.padEnd(22, '0')}`
      const createdAt = new Date()
      const memberships = Object.entries(members).map(([userId, own]) => membershipOf(id, userId, own))
      const owners = memberships.filter(({ roles: own }) => own.includes('owner')).length
      const row = { id, slug, name: slug, fields: {}, createdAt, members: memberships.length, owners }
      await store.create(row, memberships)
      return id
    },
    async change(organizationId, userId, own) {
      const { version = 0 } = (await store.find({ id: organizationId })) ?? {}
      const write = own === null ? { remove: [userId] } : { put: [membershipOf(organizationId, userId, own)] }
      await store.write([{ organizationId, expectedVersion: version, ...write }])
    },
  }
}

const membershipOf = (organizationId: string, userId: string, own: readonly string[]): Membership => ({
  ...{ organizationId, userId, roles: own, since: new Date(), invitationId: null },
})
