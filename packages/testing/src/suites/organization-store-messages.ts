import type { OrganizationStore } from '@fastify-accounts/organizations/store'
import { InvalidArgumentError, type Outbox } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Law, type Laws, notChecked } from './cases.js'
import { race, rejects, rounds, same } from './checks.js'
import { newMessage, type TestMessage } from './messages.js'
import { establish, newMembership, newOrganization, writeTo } from './organizations.js'
import { waiting } from './outbox-steps.js'

/** Laws about messages that are stored together with an organization. */
export const organizationStoreMessageLaws: Laws<OrganizationStore> = {
  'law 15: a message of a creation is kept, as given, if and only if the organization is': having(
    async (store, second, outbox) => {
      const organization = newOrganization()
      const member = newMembership({ organizationId: organization.id })
      const message = newMessage({ name: 'first', userId: null })
      same(await store.create(organization, [member], [message]), true, 'create()')
      same(await second.find({ id: organization.id }), { ...organization, version: 1 }, 'the organization')
      const twin = newOrganization({ slug: organization.slug })
      same(await store.create(twin, [], [newMessage()]), false, 'create() with a slug in use')
      const sameId = newOrganization({ id: organization.id })
      const create = () => store.create(sameId, [], [newMessage()])
      await rejects(InvalidArgumentError, create, 'create() with an id in use')
      same(await waiting(outbox), [message], 'the messages')
    },
  ),

  'law 15: a message of a write is kept, as given, if and only if the write happens': having(
    async (store, _, outbox) => {
      const organization = await establish(store)
      const holder = await establish(store)
      const messages = ['a', 'b'].map((name) => newMessage({ name, userId: null }))
      const stale = [writeTo(holder), writeTo({ id: organization.id, version: 7 })]
      same(await store.write(stale, messages), 'changed', 'write() at another version')
      const taken = [writeTo(organization, { changes: { slug: holder.slug } })]
      same(await store.write(taken, messages), 'slug_taken', 'write() of a slug in use')
      same(await waiting(outbox), [], 'the messages of writes that did not happen')
      // A write of a field, of a membership, and a deletion: a store may write them differently.
      const put = [newMembership({ organizationId: organization.id })]
      const writes = [{ changes: { name: 'Other' } }, { put }, { isDeletion: true }]
      for (const [n, write] of writes.entries()) {
        const now = { ...organization, version: n + 1 }
        same(await store.write([writeTo(now, write)], messages), 'written', 'write()')
        same(
          (await waiting(outbox)).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
          messages,
          'the messages',
        )
      }
    },
  ),

  'law 15: a message that can’t be kept leaves the organization as it was': having(
    async (store, _, outbox) => {
      const { id } = await establish(store)
      for (const realm of [null, 'a\0', 'x'.repeat(100_000)]) {
        const messages = [newMessage(), { ...newMessage(), realm } as TestMessage]
        const fresh = newOrganization()
        const [isMade = false] = (await race([() => store.create(fresh, [], messages)])).values
        same((await store.find({ id: fresh.id })) !== null, isMade, 'whether there is an organization')
        const version = (await store.find({ id }))?.version ?? 0
        const put = [newMembership({ organizationId: id, userId: `user-${version}` })]
        const [outcome] = (await race([() => store.write([writeTo({ id, version }, { put })], messages)]))
          .values
        const isWritten = outcome === 'written'
        same((await store.find({ id }))?.version, isWritten ? version + 1 : version, 'the version')
        same(await store.countOfUser(`user-${version}`), isWritten ? 1 : 0, 'the number of memberships')
        const count = [isMade, isWritten].filter(Boolean).length
        same((await waiting(outbox)).length, count, 'the number of messages')
      }
    },
  ),

  'law 15: of simultaneous writes, only the winner’s message is kept': having(
    async (store, second, outbox) => {
      const turn = inTurns(store, second)
      await rounds(20, 5, async (callers, round) => {
        const all = callers.map(() => newOrganization({ slug: `acme-${round}` }))
        const created = await raced(
          all.map((each, n) => () => turn(n).create(each, [], [newMessage({ name: each.id })])),
        )
        const winners = all.filter((_, n) => created[n]).map(({ id }) => id)
        same(winners.length, 1, 'the number of creations')
        same(
          (await waiting(outbox)).map(({ name }) => name),
          winners,
          'the messages of creations',
        )
        const [id = ''] = winners
        const outcomes = await raced(
          callers.map(
            (n) => () => turn(n).write([writeTo({ id, version: 1 })], [newMessage({ name: `${n}` })]),
          ),
        )
        const names = callers.filter((n) => outcomes[n] === 'written').map(String)
        same(names.length, 1, 'the number of writes')
        same(
          (await waiting(outbox)).map(({ name }) => name),
          names,
          'the messages of writes',
        )
      })
    },
  ),
}

/** A law about stores that have an outbox. */
function having(
  law: (store: OrganizationStore, second: OrganizationStore, outbox: Outbox<TestMessage>) => Promise<void>,
): Law<OrganizationStore> {
  return async (store, second) => {
    const { outbox } = store
    // Optional: only if the users have one in the same database.
    if (outbox === undefined) return notChecked('outbox')
    await law(store, second, outbox as Outbox as Outbox<TestMessage>)
  }
}
