import type {
  Organization,
  OrganizationStore,
  OrganizationWrite,
} from '@fastify-accounts/organizations/store'
import type { Outbox, StoredUser, UserStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Law, type Laws, notChecked } from './cases.js'
import { parallelCalls, refusesKeys, rounds, same } from './checks.js'
import { newMessage, type TestMessage } from './messages.js'
import { establish, newMembership, newOrganization, stateOf, writeTo } from './organizations.js'
import { waiting } from './outbox-steps.js'
import { newUser } from './users.js'

type Together = NonNullable<OrganizationStore['withUsers']>

/** Laws about `withUsers`, for stores that share a database with the users. */
export const organizationStoreWithUsersLaws: Laws<OrganizationStore> = {
  'law 16: a user is deleted together with the writes': having(async (store, second, { users }) => {
    const other = await users.create(newUser())
    for (const expectedVersion of [undefined, 1]) {
      const { user, alone, shared, writes } = await scene(store, users)
      const { withUsers } = store
      same(await withUsers?.delete(writes, user.id, [], undefined, expectedVersion), 'written', 'delete()')
      same(await users.findById(user.id), null, 'the user')
      // Their name, address and identities are free.
      same(
        (await users.create({ ...newUser(), ...keysOf(user) })).usernameKey,
        user.usernameKey,
        'the next user',
      )
      for (const each of [store, second]) {
        same(await stateOf(each, alone.id), { organization: null, members: [] }, 'the one that is deleted')
        const left = await stateOf(each, shared.id)
        same(left.organization, { ...shared, members: 1, version: 2 }, 'the one that is left')
        same(
          left.members.map(({ userId }) => userId),
          ['somebody'],
          'its members',
        )
        same(await each.countOfUser(user.id), 0, 'countOfUser()')
      }
    }
    same(await users.findById(other.id), other, 'another user')
  }),

  'law 16: if the user or an organization has changed, neither is touched': having(
    async (store, _, { users }) => {
      const { user, alone, shared, writes } = await scene(store, users)
      const remove = (some: readonly OrganizationWrite[], id: string, version?: number) =>
        store.withUsers?.delete(some, id, [], undefined, version)
      const stale = writes.map((write, n) => ({ ...write, expectedVersion: n === 1 ? 7 : 1 }))
      const gone = [...writes, writeTo({ id: 'org_gone', version: 1 })]
      for (const some of [stale, stale.toReversed(), gone, gone.toReversed()]) {
        same(await remove(some, user.id), 'changed', 'delete() with a write at another version')
        same(await remove(some, user.id, 1), 'changed', 'delete() at their version, with such a write')
      }
      for (const version of [0, 2])
        same(await remove(writes, user.id, version), 'none', 'delete() at another version')
      same(await remove(writes, '00000000-0000-7000-8000-000000000000'), 'none', 'delete() of no user')
      same(await users.findById(user.id), user, 'the user')
      same(await users.findByIdentity?.(user.identityKeys[0] ?? ''), user, 'the user of the identity')
      for (const each of [alone, shared]) {
        const state = await stateOf(store, each.id)
        same(state.organization, each, 'the organization')
        same(
          state.members.some(({ userId }) => userId === user.id),
          true,
          'whether they are a member',
        )
      }
      await refusesKeys('withUsers.delete', async (id) => store.withUsers?.delete(writes, id))
    },
  ),

  'law 16: messages are kept if and only if the user is deleted': having(async (store, _, { users }) => {
    const outbox = users.outbox as Outbox as Outbox<TestMessage> | undefined
    if (outbox === undefined) return notChecked('outbox')
    const { user, writes } = await scene(store, users)
    const messages = ['a', 'b'].map((name) => newMessage({ name, userId: user.id }))
    const stale = writes.map((write) => ({ ...write, expectedVersion: 7 }))
    same(await store.withUsers?.delete(stale, user.id, messages), 'changed', 'delete() with a stale write')
    same(await store.withUsers?.delete(writes, user.id, messages, undefined, 7), 'none', 'delete() at 7')
    same(await waiting(outbox), [], 'the messages of deletions that did not happen')
    same(await store.withUsers?.delete(writes, user.id, messages), 'written', 'delete()')
    same(
      (await waiting(outbox)).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      messages,
      'the messages',
    )
  }),

  'law 16: of simultaneous deletions of members, each is decided on what is left': having(
    async (store, second, { users }) => {
      const turn = inTurns(store, second)
      await rounds(Math.min(parallelCalls, 10), 4, async (callers) => {
        const all: StoredUser[] = []
        for (const _ of callers) all.push(await users.create(newUser()))
        const organization = await establish(
          store,
          { members: all.length },
          all.map(({ id }) => id),
        )
        const outcomes = await raced(
          all.map(({ id }, n) => async () => {
            const write = writeTo(organization, { remove: [id], changes: { members: all.length - 1 } })
            return turn(n).withUsers?.delete([write], id)
          }),
        )
        const winners = all.filter((_, n) => outcomes[n] === 'written')
        same(winners.length, 1, 'the number of deletions')
        const left = await stateOf(second, organization.id)
        same(left.organization?.version, 2, 'the version')
        same(left.members.length, all.length - 1, 'the number of members')
        for (const user of all) {
          const isGone = user === winners[0]
          same(await users.findById(user.id), isGone ? null : user, 'a user')
          same(await store.countOfUser(user.id), isGone ? 0 : 1, 'the number of their memberships')
        }
      })
    },
  ),
}

/** A user, alone in one organization and with somebody in another, and what deletes the memberships. */
async function scene(store: OrganizationStore, users: UserStore) {
  const user = await users.create({ ...newUser(), identityKeys: [`demo:${newOrganization().id}`] })
  const alone = await establish(store, {}, [user.id])
  const shared: Organization = { ...newOrganization({ members: 2 }), version: 1 }
  const members = [user.id, 'somebody'].map((userId) => newMembership({ organizationId: shared.id, userId }))
  await store.create(shared, members)
  const writes = [
    writeTo(alone, { isDeletion: true }),
    writeTo(shared, { remove: [user.id], changes: { members: 1 } }),
  ]
  return { user, alone, shared, writes }
}

const keysOf = ({ username, usernameKey, email, emailKey, identityKeys }: StoredUser) => ({
  ...{ username, usernameKey, email, emailKey },
  identityKeys,
})

/** A law about stores in the database of the users. */
function having(
  law: (store: OrganizationStore, second: OrganizationStore, withUsers: Together) => Promise<void>,
): Law<OrganizationStore> {
  return async (store, second) => {
    const { withUsers } = store
    if (withUsers === undefined) return notChecked('withUsers')
    await law(store, second, withUsers)
  }
}
