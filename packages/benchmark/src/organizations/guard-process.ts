import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openPostgres,
  openSqlite,
} from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type Accounts,
  type AccountsFeature,
  type AccountsHook,
  createScryptHasher,
  invitations,
  type PasswordHasher,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { openPool, type Tables } from '../databases.js'
import { emailOf, password, publicUrl, usernameOf } from '../people.js'
import type { Place } from '../requests/service.js'

/** Somebody who is logged in, and the organization they belong to. */
export interface MemberClient {
  username: string
  cookie: string
  id: string
  slug: string
}

/** What the process says first. */
export interface GuardServer {
  port: number
  members: MemberClient[]
}

// A separate process: argv says on what it stores, where, and how many members it has. It replies to each message with its CPU so
// far, in microseconds.
const [engine, place = '', count = ''] = process.argv.slice(2)
const { app, members } = await serve(JSON.parse(place) as Place, Number(count))
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.({ port: (app.server.address() as AddressInfo).port, members } satisfies GuardServer)

/** What the benchmark uses of the feature: importing its types would add its names to those of all benchmarks. */
interface Organizations {
  requireMember(permission: string): AccountsHook
  membershipOf(request: object): {
    organization: object
    roles: readonly string[]
    can(name: string): boolean
  }
  create(input: object): Promise<{ id: string; slug: string }>
}

async function serve(
  place: Place,
  users: number,
): Promise<{ app: FastifyInstance; members: MemberClient[] }> {
  const db: Kysely<Tables> =
    engine === 'postgres'
      ? openPostgres(await openPool(place.postgresUrl), { prepare: true })
      : openSqlite(join(place.folder, 'accounts.db'))
  await migrate(db)
  const userStore = createKyselyUserStore({ db })
  const name: string = '@fastify-accounts/organizations'
  const { organizations } = (await import(name)) as { organizations(options: object): AccountsFeature }
  const app = Fastify({ keepAliveTimeout: 600_000 })
  await app.register(accounts, {
    ...{
      secret: place.secret,
      baseUrl: publicUrl,
      userStore,
      throttle: false,
      passwordHasher: cheapHasher(),
    },
    sessionStore: createKyselySessionStore({ db, userStore }),
    invitationStore: createKyselyInvitationStore({ db, userStore }),
    users: true,
    mailer: { send: async () => {} },
    features: [
      invitations(),
      organizations({
        roles: { owner: ['org:*'], member: ['projects:read'] },
        store: createKyselyOrganizationStore({ db, userStore }),
      }),
    ],
  })
  const { accounts: host } = app as unknown as { accounts: Accounts & { organizations: Organizations } }
  addGuardedRoute(app, host.organizations)
  await app.ready()
  const members: MemberClient[] = []
  for (let at = 0; at < users; at++) {
    const [username, email] = [usernameOf(at), emailOf(at)]
    const { id: ownerId } = await host.createUser({ username, email, password, isVerified: true })
    const { id, slug } = await host.organizations.create({ name: `Team ${at}`, slug: `team-${at}`, ownerId })
    const payload = { username, password }
    const response = await app.inject({ method: 'POST', url: '/login/', payload })
    const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    members.push({ username, cookie, id, slug })
  }
  return { app, members }
}

/** About as long a response as who am I has. */
function addGuardedRoute(app: FastifyInstance, { requireMember, membershipOf }: Organizations): void {
  const text = { type: 'string' }
  const organization = { type: 'object', properties: { id: text, slug: text, name: text } }
  const properties = { organization, roles: { type: 'array', items: text }, can_edit: { type: 'boolean' } }
  const schema = { response: { 200: { type: 'object', properties } } }
  app.get(
    '/o/:organization/projects',
    { schema, onRequest: requireMember('projects:read') },
    async (request) => {
      const { organization, roles, can } = membershipOf(request)
      return { organization, roles, can_edit: can('org:edit') }
    },
  )
}

/** Nobody waits for the logins before. */
function cheapHasher(): PasswordHasher {
  return createScryptHasher({ logN: 4, r: 1, p: 1 })
}
