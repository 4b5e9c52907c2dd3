import type { Feature } from '../feature.js'
import { passwordRoutes } from './routes.js'

/** Changing one's own password, setting a first one, and removing it. */
export const password: Feature = {
  name: 'password',
  routes: (core) => ({ auth: passwordRoutes(core) }),
}
