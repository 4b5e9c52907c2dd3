import type { Feature } from '../feature.js'
import { sessionListRoutes } from './routes.js'

/** A user's own sessions: a list, and ways to end some. Absent if the host keeps the sessions. */
export const devices: Feature = {
  name: 'devices',
  routes: ({ sessionList }) => ({ auth: sessionList === null ? [] : sessionListRoutes(sessionList) }),
}
