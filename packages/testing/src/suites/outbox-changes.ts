import { DuplicateError } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { race, rejects, rounds, same, show } from './checks.js'
import { newMessage, type TestMessage } from './messages.js'
import { claimAt, claimOne, names, type WithOutbox } from './outbox-steps.js'
import { newUser } from './users.js'

/** Laws about messages that are stored together with a change of a user. */
export const outboxChangeLaws: Laws<WithOutbox> = {
  'law 11: a message of a creation is kept with the user, under the user’s id': async ({ store, outbox }) => {
    const data = { user: { id: 'ben' }, userId: 'ben' }
    const messages = [
      newMessage({ name: 'a', userId: null }),
      newMessage({ name: 'b', userId: 'ada', realm: 'accounts:events', data }),
    ]
    const before = structuredClone(messages)
    const user = await store.create(newUser(), messages)
    same(await store.findById(user.id), user, 'the user')
    const entries = await claimAt(outbox, 0, 100, ['accounts', 'accounts:events'])
    for (const { name, ...content } of before) {
      const found = entries.find(({ message }) => message.name === name)?.message
      same(found, { ...content, name, userId: user.id }, `the message ${name}`)
    }
    same(entries.length, 2, 'the number of messages')
    same(messages, before, 'what was handed in')
  },

  'law 11: a rejected creation leaves no message behind': async ({ store, outbox }) => {
    const { usernameKey } = await store.create(newUser())
    const twin = newUser({ usernameKey })
    await rejects(DuplicateError, () => store.create(twin, [newMessage()]), 'create() of a taken name')
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count()')
  },

  'law 12: a message of an update is kept if and only if the update was made': async ({ store, outbox }) => {
    const { usernameKey } = await store.create(newUser())
    const { id } = await store.create(newUser())
    const messages = [newMessage({ userId: 'another' })]
    same(await store.update(id, { isStaff: true }, 7, messages), null, 'update() at another version')
    same(await store.update('nobody', { isStaff: true }, 1, messages), null, 'update() of nobody')
    const toTaken = (): Promise<unknown> => store.update(id, { usernameKey }, 1, messages)
    await rejects(DuplicateError, toTaken, 'update() to a taken name')
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count()')
    const changed = await store.update(id, { isStaff: true }, 1, messages)
    same([changed?.isStaff, changed?.version], [true, 2], 'the user')
    same((await claimOne(outbox, 0)).message, messages[0], 'the message')
  },

  'law 12: of simultaneous updates from one version, only the winner’s message is kept': async (
    first,
    second,
  ) => {
    const { store, outbox } = first
    const turn = inTurns(first, second)
    const { id } = await store.create(newUser())
    await rounds(20, 5, async (callers, round) => {
      const values = await raced(
        callers.map((n) => async () => {
          const passwordHash = `hash ${round} ${n}`
          return turn(n).store.update(id, { passwordHash }, round + 1, [newMessage({ name: passwordHash })])
        }),
      )
      const winners = values.filter((user) => user !== null)
      same(winners.length, 1, 'the number of winners')
      same((await claimOne(outbox, 0)).message.name, winners[0]?.passwordHash, 'the message')
    })
  },

  'law 16: a message of a deletion is kept if and only if there was a user': async ({ store, outbox }) => {
    const { id } = await store.create(newUser())
    const messages = ['a', 'b'].map((name) => newMessage({ name, userId: id }))
    same(await store.delete('nobody', messages), false, 'delete() of nobody')
    same(await outbox.count('accounts'), { waiting: 0, dead: 0 }, 'count()')
    same(await store.delete(id, messages), true, 'delete()')
    same(await store.findById(id), null, 'the user')
    const entries = await claimAt(outbox, 0)
    const found = messages.map(({ name }) => entries.find(({ message }) => message.name === name)?.message)
    same(found, messages, 'the messages')
    same(await store.delete(id, messages), false, 'delete(), once more')
    same(await claimAt(outbox, 0), [], 'the messages of a deletion that changed nothing')
  },

  'law 16: of simultaneous deletions, only the winner’s message is kept': async (first, second) => {
    const { store, outbox } = first
    const turn = inTurns(first, second)
    await rounds(20, 5, async (callers) => {
      const { id } = await store.create(newUser())
      const values = await raced(
        callers.map((n) => async () => {
          const name = `${n}`
          return (await turn(n).store.delete(id, [newMessage({ name })])) ? name : null
        }),
      )
      const winners = values.filter((name) => name !== null)
      same(winners.length, 1, 'the number of winners')
      same(names(await claimAt(outbox, 0)), winners, 'the messages')
    })
  },

  'law 14: a message that can’t be kept leaves nothing behind: no other message, no change of a user':
    async ({ store, outbox }) => {
      let user = await store.create(newUser())
      let waiting = 0
      for (const odd of oddMessages) {
        const messages = [newMessage(), { ...newMessage(), ...odd } as TestMessage]
        const newcomer = newUser()
        const what = (call: string): string => `${call} with a message of ${show(odd)}`
        const [created] = (await race([() => store.create(newcomer, messages)])).values
        const found = await store.findByUsername(`${newcomer.usernameKey}`)
        same(found?.id, created?.id, `the user after ${what('create()')}`)
        const before = await store.findById(user.id)
        const version = before?.version ?? 0
        const [changed] = (await race([() => store.update(user.id, { isStaff: true }, version, messages)]))
          .values
        same(await store.findById(user.id), changed ?? before, `the user after ${what('update()')}`)
        const [isDeleted = false] = (await race([() => store.delete(user.id, messages)])).values
        same((await store.findById(user.id)) === null, isDeleted, `no user after ${what('delete()')}`)
        if (isDeleted) user = await store.create(newUser())
        const added = (await race([() => outbox.add(messages)])).values.length
        waiting += countIn(odd) * [created, changed, isDeleted, added].filter(Boolean).length
        same((await outbox.count('accounts')).waiting, waiting, `the messages after ${what('each call')}`)
      }
    },

  'law 14: a message that can’t be kept leaves the one that was to be split as it was': async ({
    outbox,
  }) => {
    for (const odd of oddMessages) {
      await outbox.add([newMessage({ name: 'whole' })])
      const entry = await claimOne(outbox, 0)
      const part = newMessage({ name: 'part' })
      const messages = [part, { ...part, ...odd } as TestMessage]
      const what = `split() with a message of ${show(odd)}`
      const [isSplit = false] = (await race([() => outbox.split(entry, messages)])).values
      same(await outbox.remove(entry), !isSplit, `whether the claim lasts after ${what}`)
      const left = await claimAt(outbox, 1000)
      const expected = isSplit ? Array(countIn(odd)).fill('part') : []
      same(names(left), expected, `the messages left after ${what}`)
      for (const each of left) await outbox.remove(each)
    }
  },
}

/** What an outbox may be unable to store: because of JSON, a table constraint, or the engine. */
const oddMessages: readonly Partial<Record<keyof TestMessage, unknown>>[] = [
  { data: [1n] },
  { realm: null },
  { realm: undefined },
  { realm: {} },
  { realm: 'a\0' },
  { realm: 'a\ud800' },
  { realm: 'x'.repeat(100_000) },
]

/** How many messages of `accounts` there are if such a one is kept after a plain one. */
function countIn(odd: Partial<Record<keyof TestMessage, unknown>>): number {
  return 'realm' in odd ? 1 : 2
}
