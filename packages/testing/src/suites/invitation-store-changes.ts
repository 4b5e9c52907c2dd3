import type { InvitationChanges, InvitationStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, parallelCalls, rounds, same, show } from './checks.js'
import { invite, newInvitation } from './invitations.js'

/** Laws about `update` and `delete`. */
export const invitationStoreChangeLaws: Laws<InvitationStore> = {
  'law 11: update applies the given fields, counts the version, and changes nothing else': async (store) => {
    const other = await invite(store)
    let invitation = await invite(store)
    const eachField: InvitationChanges[] = [
      { email: 'ADA@example.org' },
      { gives: { fields: { team: { seats: 3, at: { floor: 2 } } } } },
      { gives: { fields: { team: { at: {} } } } },
      { gives: ['nothing'] },
      { expiresAt: new Date('2099-12-31T23:59:59.999Z') },
      { acceptingUntil: new Date('2026-10-25T01:30:00.999Z') },
      { sends: 2 },
      { acceptingUntil: null },
      { email: 'ada@example.org', gives: {}, expiresAt: new Date(1), sends: 3, acceptingUntil: new Date(2) },
    ]
    for (const changes of eachField) {
      const changed = { ...invitation, ...changes, version: invitation.version + 1 } as typeof invitation
      same(
        await store.update(invitation.id, changes, invitation.version),
        changed,
        `update(${show(changes)})`,
      )
      same(await store.find(invitation.id), changed, `the invitation after update(${show(changes)})`)
      invitation = changed
    }
    const unset = Object.fromEntries(Object.keys(invitation).map((name) => [name, undefined]))
    const version = invitation.version + 1
    same(
      await store.update(invitation.id, unset, invitation.version),
      { ...invitation, version },
      'update() with undefined',
    )
    same(await store.find(other.id), other, 'the other invitation')
  },

  'law 11: an invitation keeps its id, its target, its inviter, its address and its beginning': async (
    store,
  ) => {
    const invitation = await invite(store)
    // More than it takes, as JavaScript callers may pass it.
    const more = newInvitation({ target: 'organizations', inviterId: null, createdAt: new Date(1), sends: 2 })
    const { email, gives, expiresAt, sends, acceptingUntil } = more
    const changed = { ...invitation, email, gives, expiresAt, sends, acceptingUntil, version: 2 }
    same(await store.update(invitation.id, { ...more, ...{ version: 9 } }, 1), changed, 'update()')
    same(await store.find(invitation.id), changed, 'the invitation')
    same(await store.find(more.id), null, 'find() of the other id')
    same(await store.listByEmail(invitation.emailKey), [changed], 'the invitations of the address')
    same(await store.listByEmail(more.emailKey), [], 'the invitations of the other address')
  },

  'law 11: update and delete do nothing at another version': async (store) => {
    const first = await invite(store)
    const invitation = await store.update(first.id, {}, 1)
    for (const version of [0, 1, 3, -2, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      same(await store.update(first.id, { sends: 9 }, version), null, `update() at the version ${version}`)
      same(await store.delete(first.id, version), false, `delete() at the version ${version}`)
      same(await store.find(first.id), invitation, `the invitation after the version ${version}`)
    }
    same(await store.delete(first.id, 2), true, 'delete() at its version')
    same(await store.find(first.id), null, 'the invitation')
    same(await store.delete(first.id, 2), false, 'delete(), once more')
    same(await store.update(first.id, { sends: 9 }, 2), null, 'update() of one that was deleted')
    same(await store.find(first.id), null, 'the invitation, once more')
    const other = await invite(store)
    await store.update(other.id, {}, 1)
    same(await store.delete(other.id), true, 'delete() at any version')
  },

  'law 11: exactly one of 20 simultaneous updates from one version wins': async (store, second) => {
    const turn = inTurns(store, second)
    let invitation = await invite(store)
    await rounds(20, 6, async (callers, round) => {
      const { id, version } = invitation
      const values = await raced(
        callers.map(
          (n) => () => turn(n).update(id, { email: `${round} ${n}`, gives: `${round} ${n}` }, version),
        ),
      )
      const winners = values.filter((value) => value !== null)
      same(winners.length, 1, 'the number of winners')
      const [winner = invitation] = winners
      same(winner.gives, winner.email, 'what the winner wrote')
      invitation = { ...invitation, email: winner.email, gives: winner.gives, version: version + 1 }
      for (const each of [store, second]) same(await each.find(id), invitation, 'the invitation')
    })
  },

  'law 12: of an update and simultaneous deletions at its version, one wins': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const { id } = await invite(turn(round))
      const update = async () => (await turn(round + 1).update(id, { sends: 2 }, 1)) !== null
      const deletions = callers.map((n) => () => turn(n).delete(id, 1))
      const values = await raced(among(deletions, update, round))
      same(values.filter((won) => won).length, 1, 'the number of winners')
      const isUpdated = values[among(deletions, update, round).indexOf(update)]
      same((await second.find(id))?.sends, isUpdated ? 2 : undefined, 'what is left')
    })
  },

  'law 12: a deleted invitation doesn’t come back by simultaneous updates': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const { id, emailKey } = await invite(turn(round))
      const updates = callers.map((n) => async () => (await turn(n).update(id, { sends: n }, 1)) !== null)
      const remove = () => turn(round + 1).delete(id)
      const calls = among<() => Promise<boolean>>(updates, remove, round)
      const values = await raced(calls)
      same(values[calls.indexOf(remove)], true, 'delete()')
      for (const each of [store, second]) {
        same(await each.find(id), null, 'find()')
        same(await each.listByEmail(emailKey), [], 'listByEmail()')
      }
    })
  },

  'law 12: of simultaneous deletions, one returns true, and the address is free again': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    await rounds(20, 6, async (callers, round) => {
      const { id, emailKey } = await invite(store)
      const deletions = callers.map((n) => () => turn(n).delete(id, n % 3 ? undefined : 1))
      const next = newInvitation({ emailKey })
      const create = () => turn(round).create(next)
      const calls = among<() => Promise<boolean>>(deletions, create, round)
      const values = await raced(calls)
      const isMade = values[calls.indexOf(create)]
      same(values.filter((won) => won).length, isMade ? 2 : 1, 'the number of calls that return true')
      same((await second.listByEmail(emailKey)).length, isMade ? 1 : 0, 'the number of invitations')
      if (!isMade) same(await store.create(next), true, 'create(), afterwards')
    })
  },
}
