import { accountBody } from '../../http/account-body.js'
import { accountInput } from '../../http/account-input.js'
import { created, createdReplies } from '../../http/created.js'
import { withOptional } from '../../http/field-schemas.js'
import { type RolesBody, rolesBody } from '../../http/roles-body.js'
import { type Route, route } from '../../http/route.js'
import { requireConfirmed } from '../../logins/who.js'
import { accountUser } from '../../user.js'
import { admitSignUp } from '../../users/admit-sign-up.js'
import { checkMayGrant } from '../../users/check-may-grant.js'
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
  // Those who sign up choose none.
  const givesRoles = variant === 'user' && options.roles !== undefined
  return route({
    name: variant === 'user' ? 'user-list' : 'signup',
    action: 'create-user',
    method: 'POST',
    path: `/${variant}/`,
    operation: {
      // Each variant has its own route.
      id: variant === 'user' ? 'createUser' : 'signUp',
      summary: 'Create a user',
      asks: ['signUp'],
      errors: [
        'ACCOUNTS_FORBIDDEN',
        'ACCOUNTS_USERNAME_TAKEN',
        'ACCOUNTS_EMAIL_TAKEN',
        ...(givesRoles ? (['ACCOUNTS_CONFIRMATION_REQUIRED'] as const) : []),
      ],
    },
    access: 'anyone-known',
    budget: 'create',
    schema: { body: bodyOf(options, givesRoles), response: createdReplies(options) },
    async handle({ body, who, client }, deps) {
      const { password, confirm_password: confirmPassword, roles, ...others } = body
      const { transient, ...input } = accountInput(options, others)
      const pair = { password, confirmPassword }
      const actor = who && accountUser(who.user)
      // As when they are changed.
      if (who !== null && roles !== undefined) requireConfirmed(who)
      await checkMayGrant(options, actor, roles)
      const asked = { method: 'password', input, pair, transient } as const
      const granted = await admitSignUp(deps, { actor, client }, asked)
      const made = await createUser(deps, actor, { input: { ...input, ...pair, roles }, granted }, variant)
      return created(deps, { who, client }, made)
    },
  })
}

function bodyOf(options: FeatureCore['options'], givesRoles: boolean) {
  const body = accountBody(options, passwordPair)
  return (givesRoles ? withOptional(body, rolesBody(options.roles)) : body) as typeof body & {
    static: RolesBody
  }
}
