import type { Feature } from '../feature.js'
import { sessionListRoutes } from './routes.js'

/** A user's own sessions: a list, and ways to end some. Absent where the keeper can't list them. */
export const devices: Feature = {
  name: 'devices',
  routes: ({ keeper: { list } }) => ({ auth: list === undefined ? [] : sessionListRoutes(list) }),
}
