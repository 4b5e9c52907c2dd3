import type { Feature } from '../feature.js'
import { loginRoutes } from './routes.js'

/** Logging in with a password, and out. */
export const login: Feature = {
  name: 'login',
  routes: (core) => ({ auth: loginRoutes(core) }),
}
