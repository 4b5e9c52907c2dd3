import {
  createMemoryOrganizationStore,
  type Membership,
  type OrganizationStore,
  type OrganizationsOptions,
  organizations,
} from '@fastify-accounts/organizations'
import {
  as,
  countedSessions,
  logIn,
  signUp,
  type TestApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { type AccountsOptions, apiKeys, createMemoryUserStore, invitations } from 'fastify-accounts'

/** Somebody who is logged in. */
export interface Person {
  id: string
  name: string
  cookie: string
}

/** The response to a request of theirs. */
export interface Answer {
  status: number
  code: string | undefined
  reason: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests ask about
  body: any
}

export interface OrganizationsApp extends TestApp {
  store: OrganizationStore
  /** Signs somebody up, with a proven address unless `isProven` is `false`, and logs them in. */
  person(name: string, facts?: { isProven?: boolean; roles?: string[] }): Promise<Person>
  /** Sends a request as somebody; `null` for nobody. */
  ask(who: Person | null, request: string, body?: object): Promise<Answer>
  /** An organization with this slug, and its members by roles; returns its id. */
  found(slug: string, owner: Person, members?: Record<string, readonly Person[]>): Promise<string>
  membershipOf(organizationId: string, userId: string): Promise<Membership | null>
}

/** Roles of the mount for staff of organizations. */
export const mountRoles = { reader: ['orgs:read'], manager: ['orgs:manage'], keeper: ['users:services'] }

/** An app with organizations, on stores in memory. */
export async function organizationsApp(
  own: OrganizationsOptions = {},
  options: Partial<AccountsOptions> = {},
  userStore = createMemoryUserStore(),
): Promise<OrganizationsApp> {
  const store = own.store ?? createMemoryOrganizationStore()
  const world = await testAppOn(
    { users: userStore, sessions: countedSessions() },
    {
      roles: mountRoles,
      features: [invitations(), apiKeys({ scopes: ['read'] }), organizations({ ...own, store })],
      ...options,
    },
  )
  const { users, send } = world

  const ask: OrganizationsApp['ask'] = async (who, request, body) => {
    const [method = 'GET', url = ''] = request.split(' ')
    const response = await send(method as 'GET', url, body, who === null ? {} : as(who.cookie))
    const json = response.body === '' ? null : response.json()
    return { status: response.statusCode, code: json?.code, reason: json?.reason, body: json }
  }

  return {
    ...world,
    store,
    ask,
    async person(name, { isProven = true, roles } = {}) {
      const user = await signUp(world, name, { email: `${name}@example.org` })
      await users.update(user.id, { isVerified: isProven, ...(roles && { roles }) }, user.version)
      return { id: user.id, name, cookie: await logIn(world, name) }
    },
    async found(slug, owner, members = {}) {
      const created = await ask(owner, 'POST /organizations/', { name: slug.toUpperCase(), slug })
      if (created.status !== 201) throw new Error(`not created: ${JSON.stringify(created)}`)
      const { id } = created.body
      const since = Date.now()
      for (const [role, people] of Object.entries(members)) {
        for (const { id: userId } of people) {
          const organization = await store.find({ id })
          if (organization === null) throw new Error('it is gone')
          const { version, members: count, owners } = organization
          await store.write([
            {
              organizationId: id,
              expectedVersion: version,
              changes: { members: count + 1, owners: owners + (role === 'owner' ? 1 : 0) },
              put: [
                {
                  organizationId: id,
                  userId,
                  roles: [role],
                  since: new Date(since + count),
                  invitationId: null,
                },
              ],
            },
          ])
        }
      }
      return id
    },
    async membershipOf(organizationId, userId) {
      return (await store.findFor({ id: organizationId }, userId))?.membership ?? null
    },
  }
}
