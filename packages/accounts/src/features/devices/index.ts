import type { Feature } from '../feature.js'
import { sessionListRoutes } from './routes.js'

/** The sessions of whoever is logged in: a list, and ways to end some. Not where the host keeps the sessions. */
export const devices: Feature = {
  name: 'devices',
  routes: ({ sessionList }) => ({ auth: sessionList === null ? [] : sessionListRoutes(sessionList) }),
}
