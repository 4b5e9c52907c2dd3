import { cursorQuery } from '../../http/input/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { ActivityEntry, ActivityStoreCalls } from '../../seams/activity-store.js'
import { createListCursor } from '../../tokens/list-cursor.js'
import type { FeatureCore } from '../feature.js'
import { listActivity } from './list-activity.js'
import { activityReply } from './schemas.js'

export function activityRoutes({ options }: FeatureCore, activity: ActivityStoreCalls): Route[] {
  const positions = createListCursor(options.secret)
  return [
    route({
      name: 'activity',
      action: 'list-activity',
      method: 'GET',
      path: '/me/activity/',
      operation: {
        id: 'listActivity',
        summary:
          'List what has happened to your own account, the newest first. The list ends when `next` is null',
      },
      access: 'logged-in',
      budget: null,
      schema: { querystring: cursorQuery, response: { 200: activityReply } },
      async handle({ query, who }, deps) {
        const { entries, next } = await listActivity(activity, positions, who.user.id, query.cursor)
        const nextUrl = next && `${deps.where.url('activity')}?cursor=${next}`
        return { body: { results: entries.map(shown), next: nextUrl } }
      },
    }),
  ]
}

/** As its person sees it. */
export function shown({ id, type, at, actor, device, network, data }: ActivityEntry) {
  return { id, type, at: at.toISOString(), actor, device, network, data }
}
