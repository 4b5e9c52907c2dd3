import type { Feature } from '../feature.js'
import { staffRoutes } from './routes.js'
import { listRoutes } from './user-list.js'

/** Listing, showing, changing and deleting users. Not in the variant `signup`. */
export const staff: Feature = {
  name: 'staff',
  routes: (core) => {
    const { users } = core.options
    if (users === false || users.variant === 'signup') return {}
    return { users: [...listRoutes(core, users), ...staffRoutes(core, users)] }
  },
}
