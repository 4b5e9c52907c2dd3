import type { Feature } from '../feature.js'
import { signUpRoute } from './routes.js'

/** Creating accounts: under /user/ in the variant `user`, under /signup/ in `signup`. */
export const signUp: Feature = {
  name: 'sign-up',
  routes: (core) => {
    const { users } = core.options
    if (users === false) return {}
    return {
      users: (['user', 'signup'] as const)
        .filter((variant) => users.variant === variant || users.variant === 'both')
        .map((variant) => signUpRoute(core, variant)),
    }
  },
}
