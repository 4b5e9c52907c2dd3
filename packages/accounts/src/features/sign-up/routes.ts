import { accountBody } from '../../http/account-body.js'
import { accountInput } from '../../http/account-input.js'
import { created, createdReplies } from '../../http/created.js'
import { type Route, route } from '../../http/route.js'
import { accountUser } from '../../user.js'
import { createUser } from '../../users/create-user.js'
import type { FeatureCore } from '../feature.js'
import { passwordPair } from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'create-user': true
  }
}

/** Creation, under /user/ or under /signup/. */
export function signUpRoute({ options }: FeatureCore, variant: 'user' | 'signup'): Route {
  return route({
    name: variant === 'user' ? 'user-list' : 'signup',
    action: 'create-user',
    method: 'POST',
    path: `/${variant}/`,
    operation: {
      // Each variant has its own route.
      id: variant === 'user' ? 'createUser' : 'signUp',
      summary: 'Create a user',
      errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_EMAIL_TAKEN'],
    },
    access: 'anyone-known',
    budget: 'create',
    schema: { body: accountBody(options, passwordPair), response: createdReplies(options) },
    async handle({ body, who, client }, deps) {
      const { password, confirm_password: confirmPassword, ...others } = body
      const made = await createUser(
        deps,
        who && accountUser(who.user),
        { input: { ...accountInput(others), password, confirmPassword } },
        variant,
      )
      return created(deps, { who, client }, made)
    },
  })
}
