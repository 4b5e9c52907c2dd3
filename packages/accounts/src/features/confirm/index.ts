import type { Feature } from '../feature.js'
import { confirmRoutes } from './routes.js'

/** Re-authentication before a sensitive action. */
export const confirm: Feature = {
  name: 'confirm',
  routes: (core) => ({ auth: confirmRoutes(core) }),
}
