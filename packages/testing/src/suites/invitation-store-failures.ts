import type { InvitationStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { pause, range, same } from './checks.js'
import { closesWell } from './closing.js'
import { invitationCalls, invite, newInvitation } from './invitations.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'

/** Laws about calls that come too late, a database that is down, and a store that closes. */
export function invitationStoreFailureLaws({ fail }: OutageOptions): Laws<InvitationStore> {
  return {
    'law 15: a call after its deadline changes nothing, and says so': async (store) => {
      const invitation = await invite(store)
      const fresh = newInvitation()
      const { writes } = invitationCalls(store, invitation, fresh)
      const atVersion = () => store.delete(invitation.id, 1)
      await refusesLate({ ...writes, 'delete() at a version': atVersion })
      same(await store.find(fresh.id), null, 'find() of an invitation created after the deadline')
      same(await store.find(invitation.id), invitation, 'the invitation after calls that were too late')
    },

    'law 15: a call whose deadline passes while it runs has an effect if and only if it says so': async (
      store,
      second,
    ) => {
      const expected: [id: string, sends: number | undefined][] = []
      for (const late of lateness) {
        const old = await Promise.all(range(6).map(() => invite(store)))
        await Promise.all([
          ...range(3).map(async () => {
            const { id, ...rest } = newInvitation()
            const said = await inTime(late, () => store.create({ id, ...rest }))
            expected.push([id, said ? 1 : undefined])
          }),
          ...old.map(async ({ id }, n) => {
            if (n % 2) {
              const said = await inTime(late, () => second.delete(id))
              expected.push([id, said ? undefined : 1])
              return
            }
            const said = await inTime(late, () => second.update(id, { sends: 2 }, 1))
            expected.push([id, said?.sends ?? 1])
          }),
        ])
      }
      await pause(afterwards)
      for (const [id, sends] of expected)
        same((await store.find(id))?.sends, sends, 'sends of an invitation, as the late call said')
    },

    'law 16: an outage is an error of every call, not a missing invitation, and changes nothing': async (
      store,
    ) => {
      const invitation = await invite(store)
      const fresh = newInvitation()
      const { writes, reads } = invitationCalls(store, invitation, fresh)
      const deleteExpired = () => store.deleteExpired(new Date(8.64e15))
      const isOver = await rejectsWhileDown(fail, { ...reads, ...writes, 'deleteExpired()': deleteExpired })
      if (!isOver) return
      same(await store.find(invitation.id), invitation, 'the invitation after the outage')
      same(await store.find(fresh.id), null, 'an invitation created during the outage')
    },

    'law 17: close waits for calls in progress, may be called twice, and later calls reject': async (
      store,
    ) => {
      const { writes, reads } = invitationCalls(store, await invite(store))
      const calls = { ...writes, ...reads, 'deleteExpired()': () => store.deleteExpired(new Date()) }
      await closesWell(store, () => store.create(newInvitation()), calls)
    },
  }
}
