import type { MountCore } from '../../http/feature-core.js'
import { activityBounds } from '../../options/activity.js'
import type { ActivityStoreCalls } from '../../seams/activity-store.js'
import type { Subscriber } from '../../seams/events.js'
import type { Feature } from '../feature.js'
import { activityHost } from './host.js'
import { sinceHandOver } from './list-activity.js'
import { activityRoutes, shown } from './routes.js'
import { createActivityWriter } from './subscriber/activity-writer.js'
import { entryOf } from './subscriber/entry-of.js'
import { areTooMany } from './subscriber/too-many.js'

/** People see what has happened to their own accounts. On with the option `activity`. */
export const activity: Feature = {
  name: 'activity',
  host: (core) => activityHost(() => storeOf(core)),
  subscribers: (core) => ({ activity: subscriber(core) }),
  async export({ id }, core) {
    const entries = await storeOf(core).list(id, { limit: activityBounds.entries })
    return sinceHandOver(entries).map(shown)
  },
  routes: (core) => ({ auth: activityRoutes(core, storeOf(core)) }),
}

function storeOf({ activity: store }: MountCore): ActivityStoreCalls {
  if (store === null) throw new Error('fastify-accounts: activity needs the option activity')
  return store
}

function subscriber(core: MountCore): Subscriber {
  const store = storeOf(core)
  const write = createActivityWriter(store, core.users)
  const removeAll = ({ user }: { user: { id: string } | null }) => user && store.removeAll(user.id)
  return {
    'user.deleted': removeAll,
    'service.deleted': removeAll,
    '*': async (event) => {
      const entry = entryOf(event)
      if (entry !== null && !(await areTooMany(store, entry))) await write(entry)
    },
  }
}
