import { invalidInput } from '../../errors.js'
import type { ActivityEntry, ActivityStoreCalls } from '../../seams/activity-store.js'
import { createListCursor } from '../../tokens/list-cursor.js'
import { onUser } from '../../users/host-accounts.js'
import { argumentFaults } from '../../validation.js'
import { type FeatureHost, hostCall } from '../host.js'
import { listActivity } from './list-activity.js'

/** Something that has happened to an account, as your app's own code sees it. */
export type HostActivity = Omit<ActivityEntry, 'userId'>

/** @param activityOf throws without the option */
export function activityHost(activityOf: () => ActivityStoreCalls): FeatureHost {
  return {
    calls: {
      listActivity: hostCall('list-activity', ['userId', null], (core) => async (userId, query = {}) => {
        const store = activityOf()
        const faults = argumentFaults(query, { flags: [], others: ['cursor'] })
        if (faults.length > 0) throw invalidInput(...faults)
        const positions = createListCursor(core.options.secret)
        return onUser(core, userId, async ({ id }) => {
          const { entries, next } = await listActivity(store, positions, id, query.cursor)
          return { activity: entries.map(({ userId: _, ...entry }) => entry), next }
        })
      }),
    },
  }
}
