import type { Feature } from '../feature.js'
import { accountRoutes } from './routes.js'

/** A user's own account. */
export const account: Feature = {
  name: 'account',
  routes: (core) => ({ auth: accountRoutes(core) }),
}
