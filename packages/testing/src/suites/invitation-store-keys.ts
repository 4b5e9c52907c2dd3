import { InvalidArgumentError, type Invitation, type InvitationStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import {
  hostileTexts,
  nearlyEqualTexts,
  notKeys,
  parallelCalls,
  race,
  refusesKeys,
  rejects,
  rounds,
  same,
  scramble,
  show,
} from './checks.js'
import { idsOf, invite, newInvitation } from './invitations.js'

/** Laws about ids, and about one invitation for each target, inviter and address. */
export const invitationStoreKeyLaws: Laws<InvitationStore> = {
  'law 6: there is one invitation for each target, inviter and address': async (store) => {
    const emailKey = 'ada@example.org'
    const first = await invite(store, { emailKey })
    const others = [
      await invite(store, { emailKey, target: 'organizations' }),
      await invite(store, { emailKey, inviterId: 'user-2' }),
      await invite(store, { emailKey, inviterId: null }),
      await invite(store, { emailKey, inviterId: null, target: 'organizations' }),
      await invite(store, { emailKey: 'ben@example.org' }),
      await invite(store, { emailKey: 'ben@example.org', inviterId: null }),
    ]
    for (const each of [first, ...others]) {
      const { target, inviterId } = each
      const twin = newInvitation({ target, inviterId, emailKey: each.emailKey, sends: 9 })
      same(await store.create(twin), false, `create() of one like ${show([target, inviterId])}`)
      same(await store.find(twin.id), null, 'find() of one that was not created')
      same(await store.find(each.id), each, 'the first')
    }
    same(await store.delete(first.id), true, 'delete()')
    same(await store.create(newInvitation({ emailKey })), true, 'create() after the first was deleted')
  },

  'law 6: no second invitation gets an id that is in use': async (store) => {
    const first = await invite(store)
    const intruder = newInvitation({ id: first.id, inviterId: 'user-2' })
    await rejects(InvalidArgumentError, () => store.create(intruder), 'create() with an id in use')
    same(await store.find(first.id), first, 'the invitation')
    same(await store.listByEmail(intruder.emailKey), [], 'the invitations of the other address')
  },

  [`law 6: exactly one of ${parallelCalls} simultaneous creations wins`]: async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 5, async (callers, round) => {
      const inviterId = round % 2 ? null : 'user-1'
      const emailKey = `ada-${round}@example.org`
      const stored = callers.map(() => newInvitation({ inviterId, emailKey }))
      const values = await raced(stored.map((each, n) => () => turn(n).create(each)))
      const winners = stored.filter((_, n) => values[n])
      same(winners.length, 1, 'the number of winners')
      for (const each of [store, second])
        same(idsOf(await each.listByEmail(emailKey)), [winners[0]?.id], 'the invitations of the address')
    })
  },

  'law 7: ids, targets, inviters and addresses are compared byte for byte': async (store) => {
    const texts = [...hostileTexts, ...nearlyEqualTexts]
    for (const field of ['id', 'target', 'inviterId', 'emailKey'] as const) {
      const stored: Invitation[] = []
      for (const text of texts)
        stored.push(
          await invite(store, {
            emailKey: `of ${field}`,
            target: `of ${field}`,
            inviterId: `of ${field} ${field === 'id' ? text : ''}`,
            [field]: text,
          }),
        )
      for (const [n, text] of texts.entries()) {
        const what = `of the ${field} ${show(text)}`
        const found = {
          id: async () => [await store.find(text)],
          target: () => store.list({ target: text, limit: 99 }),
          inviterId: () => store.list({ inviterId: text, limit: 99 }),
          emailKey: () => store.listByEmail(text),
        }[field]
        same(await found(), [stored[n]], `the invitations ${what}`)
      }
      for (const [n, { id }] of stored.entries()) {
        same(await store.delete(id), true, `delete(${show(id)})`)
        const next = stored[n + 1]
        if (next) same(await store.find(next.id), next, `find() after delete(${show(id)})`)
      }
    }
  },

  'law 7: anything but well-formed, non-empty text is rejected as an argument': async (store) => {
    await refusesKeys('find', (id) => store.find(id))
    await refusesKeys('listByEmail', (emailKey) => store.listByEmail(emailKey))
    await refusesKeys('update', (id) => store.update(id, { sends: 2 }, 1))
    await refusesKeys('delete', (id) => store.delete(id))
    for (const field of ['id', 'target', 'emailKey'] as const)
      await refusesKeys(`create with the ${field} `, (text) => store.create(newInvitation({ [field]: text })))
    for (const value of notKeys.filter((key) => key !== null && key !== undefined)) {
      const inviterId = value as string
      const create = () => store.create(newInvitation({ inviterId }))
      await rejects(InvalidArgumentError, create, `create with the inviterId ${show(value)}`)
      for (const query of [{ inviterId }, { target: inviterId }])
        await rejects(InvalidArgumentError, () => store.list({ ...query, limit: 9 }), `list(${show(query)})`)
    }
    same(await store.list({ limit: 9 }), [], 'the invitations stored')
  },

  'law 8: long keys come back whole or are rejected, never truncated': async (store) => {
    const long = scramble(255)
    await invite(store, { target: long, inviterId: long, emailKey: scramble(254) })
    for (const length of [254, 1024, 5000]) {
      const [one, other] = ['a', 'b'].map((end) => scramble(length - 1) + end)
      for (const emailKey of [one, other]) {
        const invitation = newInvitation({ emailKey: `${emailKey}` })
        const { values } = await race([() => store.create(invitation)])
        if (length === 254) same(values, [true], 'create() with an address of 254 bytes')
        const kept = values[0] ? [{ ...invitation, version: 1 }] : []
        same(await store.listByEmail(`${emailKey}`), kept, `the invitations of an address of ${length} bytes`)
      }
    }
    for (const field of ['id', 'target', 'inviterId'] as const) {
      const invitation = newInvitation({ [field]: scramble(5000) })
      const { values } = await race([() => store.create(invitation)])
      const kept = values[0] ? { ...invitation, version: 1 } : null
      same(await store.find(invitation.id), kept, `find() of one with a long ${field}`)
      const part = scramble(5000).slice(0, 255)
      same(await store.find(part), null, 'find() of a part')
    }
  },
}
