import {
  createMemoryOrganizationStore,
  type Organization,
  type OrganizationStore,
  organizations,
} from '@fastify-accounts/organizations'
import { cookieOf, goodPassword } from '@fastify-accounts/test-support/app'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { probed } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import { type AccountsOptions, invitations, type PendingMessage } from 'fastify-accounts'
import { describe, expect } from 'vitest'
import { type FactorTrial, post, tryFactor } from './factor-trials.js'

/** The store of a service that has begun, as it is without probes. */
const kept = new WeakMap<Stores['users'], OrganizationStore>()

/** In memory; where the users have an outbox, it stores events there along with what they tell of. */
function storeFor({ users }: Stores): OrganizationStore {
  const memory = createMemoryOrganizationStore()
  const { outbox } = users
  if (outbox === undefined) return memory
  const add = (messages: readonly PendingMessage[]) => outbox.add(messages as never)
  return {
    ...memory,
    outbox: probed('outbox', outbox),
    async create(organization, memberships, messages = []) {
      const isCreated = await memory.create(organization, memberships)
      if (isCreated) await add(messages)
      return isCreated
    },
    async write(writes, messages = []) {
      const outcome = await memory.write(writes)
      if (outcome === 'written') await add(messages)
      return outcome
    },
  }
}

/** The same, where one write deletes a user with their memberships. */
function storeWithUsers(stores: Stores): OrganizationStore {
  const store = storeFor(stores)
  const { users } = stores
  return {
    ...store,
    withUsers: {
      users: probed('users', users),
      async delete(writes, ...deletion) {
        if (!(await users.delete(...deletion))) return 'none'
        return writes.length === 0 || (await store.write(writes)) === 'written' ? 'written' : 'changed'
      },
    },
  }
}

const optionsWith =
  (make: (stores: Stores) => OrganizationStore) =>
  (stores: Stores): Partial<AccountsOptions> => {
    const store = make(stores)
    const { withUsers, ...calls } = store
    kept.set(stores.users, store)
    return {
      roles: { chief: ['orgs:read', 'orgs:manage', 'users:read', 'users:delete'] },
      features: [
        invitations(),
        organizations({
          store: {
            ...probed('organizations', calls),
            ...(withUsers && {
              withUsers: { ...probed('organizations', withUsers), users: withUsers.users },
            }),
          },
        }),
      ],
    }
  }

/** An owner, and who else there is. */
interface Owner extends Scene {
  /** Theirs, with another owner, a member, and an open invitation of the guest. */
  own: string
  otherId: string
  memberId: string
  guest: { id: string; email: string; cookie: string; invitation: string }
  /** Of the mount, with every permission inside. */
  chief: string
  store: OrganizationStore
}

interface InvitedRow {
  id: string
  email: string
}

/** What the calls of the app's own code are, in a program that has the names. */
const callsOf = ({ app }: Service) => app.accounts.organizations

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const { name } = scene
  const store = kept.get(service.stores.users)
  if (store === undefined) throw new Error('the service has no organizations')
  const account = async (username: string, roles: string[] = []) => {
    const email = `${username}@example.org`
    const own = { username, email, password: goodPassword, isVerified: true, roles }
    const { id } = await service.app.accounts.createUser(own)
    return { id, email, cookie: cookieOf(await scene.logIn(goodPassword, username)) }
  }
  const other = await account(`${name}-other`)
  const member = await account(`${name}-member`)
  const guest = await account(`${name}-guest`)
  const chief = await account(`${name}-chief`, ['chief'])
  const own = await callsOf(service).create({ name: 'Acme', slug: `acme-${name}`, ownerId: scene.user.id })
  await callsOf(service).addMember(own.id, other.id, ['owner'])
  await callsOf(service).addMember(own.id, member.id, ['member'])
  await callsOf(service).invite(own.id, { email: guest.email, roles: ['admin'] })
  const [row] = (await service.stores.invitations.listByEmail(guest.email)) as InvitedRow[]
  return {
    ...scene,
    own: own.id,
    otherId: other.id,
    memberId: member.id,
    guest: { ...guest, invitation: row?.id ?? '' },
    chief: chief.cookie,
    store,
  }
}

const as = (cookie: string, request: InjectOptions): InjectOptions => ({ ...request, headers: { cookie } })

type Ask = (path: string, method?: 'GET' | 'POST' | 'PATCH' | 'DELETE', payload?: object) => InjectOptions

/** As the owner, about their organization. */
const inside =
  ({ cookie, own }: Owner): Ask =>
  (path, method = 'GET', payload) =>
    as(cookie, { method, url: `/organizations/${own}${path}`, ...(payload && { payload }) })

const host = (call: string, ...args: unknown[]): InjectOptions =>
  post(`/organizations-of-host/${call}`, { args })

const found = async ({ store, own }: Owner): Promise<Organization | null> => {
  const organization = await store.find({ id: own })
  if (organization === null) return null
  // Whatever was lost, the counters are those of the rows, and an owner is left.
  const members = await store.listMembers(own, { limit: 10 })
  const owners = members.filter(({ roles }) => roles.includes('owner'))
  expect([organization.members, organization.owners]).toEqual([members.length, owners.length])
  expect(owners).not.toEqual([])
  return organization
}

const rolesOf = async (owner: Owner, userId: string): Promise<readonly string[] | null> => {
  await found(owner)
  return (await owner.store.findFor({ id: owner.own }, userId))?.membership?.roles ?? null
}

const hasRole = (owner: Owner, userId: string, role: string) =>
  rolesOf(owner, userId).then((roles) => roles?.includes(role) ?? false)
const isOut = (owner: Owner, userId: string) => rolesOf(owner, userId).then((roles) => roles === null)
const isInvited = async ({ service, name }: Owner): Promise<boolean> => {
  const rows = await service.stores.invitations.listByEmail(newAddress({ name }))
  expect(rows.length).toBeLessThan(2)
  return rows.length === 1
}
const isWithdrawn = async ({ service, guest }: Owner): Promise<boolean> =>
  (await service.stores.invitations.find(guest.invitation)) === null
const newAddress = ({ name }: Pick<Scene, 'name'>): string => `${name}-new@example.org`
const isMade = async ({ store, name }: Owner): Promise<boolean> => (await store.find({ slug: name })) !== null
const isRenamed = async (owner: Owner): Promise<boolean> => (await found(owner))?.name === 'Other'
const isGone = async (owner: Owner): Promise<boolean> => (await found(owner)) === null

/** Given once, as it says. */
async function isAccepted(owner: Owner): Promise<boolean> {
  const { store, own, guest } = owner
  const given = (await store.findFor({ id: own }, guest.id))?.membership
  if (given) expect(given).toMatchObject({ roles: ['admin'], invitationId: guest.invitation })
  else expect(await isWithdrawn(owner)).toBe(false)
  await found(owner)
  return given != null
}

const trials: FactorTrial<Owner>[] = [
  {
    name: 'an organization created',
    request: ({ cookie, name }) => as(cookie, post('/organizations/', { name: 'Mine', slug: name })),
    status: 201,
    isDone: isMade,
    again: [409],
  },
  { name: 'an organization shown', request: (owner) => inside(owner)(''), status: 200 },
  {
    name: 'all organizations',
    request: ({ chief }) => as(chief, { url: '/organizations/' }),
    status: 200,
  },
  {
    name: 'own organizations',
    request: ({ cookie }) => as(cookie, { url: '/me/organizations/' }),
    status: 200,
  },
  {
    name: 'an organization changed',
    request: (owner) => inside(owner)('', 'PATCH', { name: 'Other' }),
    status: 200,
    isDone: isRenamed,
    again: [200],
  },
  {
    name: 'an organization deleted',
    request: (owner) => inside(owner)('', 'DELETE'),
    status: 204,
    isDone: isGone,
    again: [404],
  },
  { name: 'the members', request: (owner) => inside(owner)('/members/'), status: 200 },
  {
    name: 'a member named by staff',
    request: ({ chief, own, guest }) =>
      as(chief, post(`/organizations/${own}/members/`, { user_id: guest.id, roles: ['member'] })),
    status: 201,
    isDone: (owner) => hasRole(owner, owner.guest.id, 'member'),
    again: [201, 409],
  },
  {
    name: "a member's roles changed",
    request: (owner) => inside(owner)(`/members/${owner.memberId}`, 'PATCH', { roles: ['admin'] }),
    status: 200,
    isDone: (owner) => hasRole(owner, owner.memberId, 'admin'),
    again: [200],
  },
  {
    name: 'a member removed',
    request: (owner) => inside(owner)(`/members/${owner.memberId}`, 'DELETE'),
    status: 204,
    isDone: (owner) => isOut(owner, owner.memberId),
    again: [404],
  },
  {
    name: 'an organization left',
    request: (owner) => inside(owner)('/leave/', 'POST'),
    status: 204,
    isDone: (owner) => isOut(owner, owner.user.id),
    again: [404],
  },
  {
    name: 'an invitation to an organization',
    request: (owner) =>
      inside(owner)('/invitations/', 'POST', { email: newAddress(owner), roles: ['member'] }),
    status: 202,
    isDone: isInvited,
    again: [202],
  },
  { name: 'its invitations', request: (owner) => inside(owner)('/invitations/'), status: 200 },
  {
    name: 'an invitation to an organization sent again',
    request: (owner) => inside(owner)(`/invitations/${owner.guest.invitation}/send/`, 'POST'),
    status: 204,
    isDone: async ({ service, guest }) =>
      ((await service.stores.invitations.find(guest.invitation))?.sends ?? 0) > 1,
    again: [204],
  },
  {
    name: 'an invitation to an organization withdrawn',
    request: (owner) => inside(owner)(`/invitations/${owner.guest.invitation}`, 'DELETE'),
    status: 204,
    isDone: isWithdrawn,
    again: [404],
  },
  {
    name: 'the invitations that one has',
    request: ({ guest }) => as(guest.cookie, { url: '/me/invitations/' }),
    status: 200,
  },
  {
    name: 'an invitation to an organization accepted',
    request: ({ guest }) => as(guest.cookie, post(`/me/invitations/${guest.invitation}/accept/`)),
    status: 200,
    isDone: isAccepted,
    // Until the invitation is gone, it says again what it has given.
    again: [200, 404, 409],
  },
  {
    name: 'an invitation to an organization declined',
    request: ({ guest }) => as(guest.cookie, post(`/me/invitations/${guest.invitation}/decline/`)),
    status: 204,
    isDone: isWithdrawn,
    again: [404],
  },
  {
    name: 'a route of the app inside',
    request: ({ cookie, own }) => as(cookie, { url: `/inside/${own}` }),
    status: 200,
  },
  {
    name: 'an organization created by the host',
    request: ({ user, name }) => host('create', { name: 'Mine', slug: name, ownerId: user.id }),
    status: 200,
    isDone: isMade,
    again: [409],
  },
  { name: 'an organization found by the host', request: ({ own }) => host('find', own), status: 200 },
  { name: 'all organizations by the host', request: () => host('list'), status: 200 },
  {
    name: 'the organizations of a user by the host',
    request: ({ user }) => host('listOfUser', user.id),
    status: 200,
  },
  { name: 'the members by the host', request: ({ own }) => host('listMembers', own), status: 200 },
  { name: 'the invitations by the host', request: ({ own }) => host('listInvitations', own), status: 200 },
  {
    name: 'an organization changed by the host',
    request: ({ own }) => host('update', own, { name: 'Other' }),
    status: 200,
    isDone: isRenamed,
    again: [200],
  },
  {
    name: 'an organization deleted by the host',
    request: ({ own }) => host('delete', own),
    status: 200,
    isDone: isGone,
    again: [200],
  },
  {
    name: 'a member added by the host',
    request: ({ own, guest }) => host('addMember', own, guest.id, ['member']),
    status: 200,
    isDone: (owner) => hasRole(owner, owner.guest.id, 'member'),
    again: [200, 409],
  },
  {
    name: "a member's roles changed by the host",
    request: ({ own, memberId }) => host('changeMemberRoles', own, memberId, ['admin']),
    status: 200,
    isDone: (owner) => hasRole(owner, owner.memberId, 'admin'),
    again: [200],
  },
  {
    name: 'a member removed by the host',
    request: ({ own, memberId }) => host('removeMember', own, memberId),
    status: 200,
    isDone: (owner) => isOut(owner, owner.memberId),
    again: [200],
  },
  {
    name: 'an invitation to an organization by the host',
    request: (owner) => host('invite', owner.own, { email: newAddress(owner), roles: ['member'] }),
    status: 200,
    isDone: isInvited,
    again: [200],
  },
  {
    name: 'an invitation to an organization withdrawn by the host',
    request: ({ own, guest }) => host('withdrawInvitation', own, guest.invitation),
    status: 200,
    isDone: isWithdrawn,
    again: [200],
  },
]

/** What goes together with memberships. */
const deletions: FactorTrial<Owner>[] = [
  {
    name: 'an owner deleted with their memberships',
    request: ({ chief, otherId }) => as(chief, { method: 'DELETE', url: `/user/${otherId}` }),
    status: 204,
    isDone: isOtherGone,
    again: [404],
  },
  {
    name: 'a member deleted by the host',
    request: ({ memberId }) => post('/host/remove-user', { id: memberId, value: '' }),
    status: 200,
    isDone: async (owner) => {
      const isThere = (await owner.service.stores.users.findById(owner.memberId)) !== null
      if (!isThere) expect(await isOut(owner, owner.memberId)).toBe(true)
      return !isThere
    },
    again: [200],
  },
]

/** Nobody is a member who is gone. */
async function isOtherGone(owner: Owner): Promise<boolean> {
  const isThere = (await owner.service.stores.users.findById(owner.otherId)) !== null
  if (!isThere) expect(await isOut(owner, owner.otherId)).toBe(true)
  return !isThere
}

describe('organizations when any adapter call fails', () => {
  const options = optionsWith(storeFor)
  tryFactor({ options, others: { features: [invitations()] }, set: setOwner }, [...trials, ...deletions])
})

describe('organizations in the database of the users when any adapter call fails', () => {
  const options = optionsWith(storeWithUsers)
  const others = options({ users: {} } as Stores)
  tryFactor({ options, others, set: setOwner }, deletions)
})
