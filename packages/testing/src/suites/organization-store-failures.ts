import type { OrganizationStore } from '@fastify-accounts/organizations/store'
import type { Laws } from './cases.js'
import { pause, range, same } from './checks.js'
import { closesWell } from './closing.js'
import { afterwards, inTime, lateness, refusesLate } from './late.js'
import {
  establish,
  newMembership,
  newOrganization,
  organizationCalls,
  stateOf,
  writeTo,
} from './organizations.js'
import { type OutageOptions, rejectsWhileDown } from './outage.js'
import { newUser } from './users.js'

/** Laws about calls that come too late, a database that is down, and a store that closes. */
export function organizationStoreFailureLaws({ fail }: OutageOptions): Laws<OrganizationStore> {
  return {
    'law 17: a call after its deadline changes nothing, and says so': async (store) => {
      const organization = await establish(store, {}, ['user-1'])
      const state = await stateOf(store, organization.id)
      const fresh = newOrganization()
      const { writes } = organizationCalls(store, organization, fresh)
      await refusesLate(writes)
      const { withUsers } = store
      if (withUsers !== undefined) {
        const user = await withUsers.users.create(newUser())
        const write = writeTo(organization, { isDeletion: true })
        await refusesLate({ 'withUsers.delete()': () => withUsers.delete([write], user.id) })
        same(await withUsers.users.findById(user.id), user, 'the user after a call that was too late')
      }
      same(await stateOf(store, organization.id), state, 'the organization after calls that were too late')
      same(await store.find({ id: fresh.id }), null, 'find() of one created after the deadline')
    },

    'law 17: a call whose deadline passes while it runs has an effect if and only if it says so': async (
      store,
      second,
    ) => {
      const expected: [id: string, version: number | undefined, members: number][] = []
      for (const late of lateness) {
        const old = []
        for (const _ of range(6)) old.push(await establish(store, {}, ['user-1']))
        await Promise.all([
          ...range(3).map(async () => {
            const fresh = newOrganization()
            const members = [newMembership({ organizationId: fresh.id })]
            const said = await inTime(late, () => store.create(fresh, members))
            expected.push(said ? [fresh.id, 1, 1] : [fresh.id, undefined, 0])
          }),
          ...old.map(async (organization, n) => {
            const { id } = organization
            const isDeletion = n % 2 === 1
            const put = [newMembership({ organizationId: id, userId: 'user-2' })]
            const write = writeTo(organization, isDeletion ? { isDeletion } : { put })
            const said = await inTime(late, () => second.write([write]))
            if (said !== 'written') expected.push([id, 1, 1])
            else expected.push(isDeletion ? [id, undefined, 0] : [id, 2, 2])
          }),
        ])
      }
      await pause(afterwards)
      for (const [id, version, count] of expected) {
        const { organization, members } = await stateOf(store, id)
        same(
          [organization?.version, members.length],
          [version, count],
          'the version and number of members, as the late call said',
        )
      }
    },

    'law 18: an outage is an error of every call, not a missing organization, and changes nothing': async (
      store,
    ) => {
      const organization = await establish(store, {}, ['user-1'])
      const state = await stateOf(store, organization.id)
      const fresh = newOrganization()
      const { writes, reads } = organizationCalls(store, organization, fresh)
      const isOver = await rejectsWhileDown(fail, { ...reads, ...writes })
      if (!isOver) return
      same(await stateOf(store, organization.id), state, 'the organization after the outage')
      same(await store.find({ id: fresh.id }), null, 'an organization created during the outage')
    },

    'law 19: close waits for calls in progress, may be called twice, and later calls reject': async (
      store,
    ) => {
      const { writes, reads } = organizationCalls(store, await establish(store))
      await closesWell(store, () => store.create(newOrganization(), []), { ...writes, ...reads })
    },
  }
}
