import { InvalidArgumentError, type InvitationStore, type Outbox } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Law, type Laws, notChecked } from './cases.js'
import { race, rejects, rounds, same } from './checks.js'
import { invite, newInvitation } from './invitations.js'
import { newMessage, type TestMessage } from './messages.js'
import { waiting } from './outbox-steps.js'

/** Laws about messages that are stored together with an invitation. */
export const invitationStoreMessageLaws: Laws<InvitationStore> = {
  'law 13: a message of a creation is kept, as given, if and only if the invitation is': having(
    async (store, second, outbox) => {
      const invitation = newInvitation()
      const message = newMessage({ name: 'first', userId: null })
      same(await store.create(invitation, [message]), true, 'create()')
      const kept = { ...invitation, version: 1 }
      same(await second.find(invitation.id), kept, 'the invitation')
      const { emailKey } = invitation
      const twin = newInvitation({ emailKey })
      same(await store.create(twin, [newMessage()]), false, 'create() of one that is there')
      const sameId = newInvitation({ id: invitation.id })
      const create = () => store.create(sameId, [newMessage()])
      await rejects(InvalidArgumentError, create, 'create() with an id in use')
      const messages = await waiting(outbox)
      same(messages, [message], 'the messages')
    },
  ),

  'law 13: a message of an update is kept, as given, if and only if the changes are': having(
    async (store, _, outbox) => {
      const { id } = await invite(store)
      const messages = ['a', 'b'].map((name) => newMessage({ name, userId: null }))
      same(await store.update(id, { sends: 2 }, 7, messages), null, 'update() at another version')
      same(await store.update('nobody', { sends: 2 }, 1, messages), null, 'update() of none')
      same(await waiting(outbox), [], 'the messages of updates that changed nothing')
      same((await store.update(id, { sends: 2 }, 1, messages))?.sends, 2, 'what update() returns')
      const kept = await waiting(outbox)
      same(
        kept.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        messages,
        'the messages',
      )
    },
  ),

  'law 13: a message of a deletion is kept, as given, if and only if there was an invitation': having(
    async (store, _, outbox) => {
      const { id } = await invite(store)
      const messages = ['a', 'b'].map((name) => newMessage({ name, userId: null }))
      same(await store.delete(id, 7, messages), false, 'delete() at another version')
      same(await store.delete('nobody', undefined, messages), false, 'delete() of none')
      same(await waiting(outbox), [], 'the messages of deletions that deleted nothing')
      same(await store.delete(id, 1, messages), true, 'what delete() returns')
      const kept = await waiting(outbox)
      same(
        kept.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        messages,
        'the messages',
      )
    },
  ),

  'law 13: a message that can’t be kept leaves the invitation as it was': having(async (store, _, outbox) => {
    const before = await invite(store)
    for (const realm of [null, 'a\0', 'x'.repeat(100_000)]) {
      const messages = [newMessage(), { ...newMessage(), realm } as TestMessage]
      const fresh = newInvitation()
      const [isMade = false] = (await race([() => store.create(fresh, messages)])).values
      same((await store.find(fresh.id)) !== null, isMade, 'whether there is an invitation')
      const { id } = before
      const version = (await store.find(id))?.version ?? 0
      const [changed = null] = (await race([() => store.update(id, { sends: 2 }, version, messages)])).values
      const left = { ...before, version }
      same(await store.find(id), changed ?? left, 'the invitation')
      const count = [isMade, changed].filter(Boolean).length
      same((await waiting(outbox)).length, count, 'the number of messages')
    }
  }),

  'law 13: of simultaneous writes, only the winner’s message is kept': having(
    async (store, second, outbox) => {
      const turn = inTurns(store, second)
      await rounds(20, 5, async (callers, round) => {
        const emailKey = `ada-${round}@example.org`
        const stored = callers.map(() => newInvitation({ emailKey }))
        const created = await raced(
          stored.map((each, n) => () => turn(n).create(each, [newMessage({ name: each.id })])),
        )
        const winners = stored.filter((_, n) => created[n]).map(({ id }) => id)
        same(winners.length, 1, 'the number of creations')
        same(
          (await waiting(outbox)).map(({ name }) => name),
          winners,
          'the messages of creations',
        )
        const updated = await raced(
          callers.map(
            (n) => () =>
              turn(n).update(winners[0] ?? '', { email: `${n}` }, 1, [newMessage({ name: `${n}` })]),
          ),
        )
        const emails = updated.flatMap((value) => (value === null ? [] : [value.email]))
        same(emails.length, 1, 'the number of updates')
        same(
          (await waiting(outbox)).map(({ name }) => name),
          emails,
          'the messages of updates',
        )
      })
    },
  ),
}

/** A law about stores that have an outbox. */
function having(
  law: (store: InvitationStore, second: InvitationStore, outbox: Outbox<TestMessage>) => Promise<void>,
): Law<InvitationStore> {
  return async (store, second) => {
    const { outbox } = store
    // Optional: only if the users have one in the same database.
    if (outbox === undefined) return notChecked('outbox')
    await law(store, second, outbox as Outbox as Outbox<TestMessage>)
  }
}
