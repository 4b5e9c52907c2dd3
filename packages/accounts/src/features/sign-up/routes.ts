import { fieldError, invalidInput } from '../../errors.js'
import { accountBody } from '../../http/input/account-body.js'
import { accountInput } from '../../http/input/account-input.js'
import { withOptional } from '../../http/input/field-schemas.js'
import { type RolesBody, rolesBody } from '../../http/input/roles-body.js'
import { created, createdReplies } from '../../http/output/created.js'
import { type Route, route } from '../../http/route.js'
import { requireConfirmed } from '../../logins/who.js'
import type { PasswordPair } from '../../passwords/password-policy.js'
import { accountUser, type User } from '../../user.js'
import { admitSignUp } from '../../users/admit-sign-up.js'
import { checkMayGrant } from '../../users/check-may-create.js'
import { addressAlone } from '../../users/create.js'
import { createUser } from '../../users/create-user.js'
import type { FeatureCore } from '../feature.js'
import { optionalPair, passwordPair } from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'create-user': 'user-list' | 'signup'
  }
}

/** Creation, under /user/ or under /signup/. */
export function signUpRoute({ options, hasOtherWays }: FeatureCore, variant: 'user' | 'signup'): Route {
  // Those who sign up choose none.
  const givesRoles = variant === 'user' && options.roles !== undefined
  const account = accountBody(options, hasOtherWays ? optionalPair : passwordPair)
  const body = givesRoles ? withOptional(account, rolesBody(options.roles)) : account
  return route({
    name: variant === 'user' ? 'user-list' : 'signup',
    action: 'create-user',
    method: 'POST',
    path: `/${variant}/`,
    operation: {
      // Each variant has its own route.
      id: variant === 'user' ? 'createUser' : 'signUp',
      host: 'createUser()',
      summary: 'Create a user',
      authorize: ['createUser'],
      asks: ['signUp'],
      errors: [
        'ACCOUNTS_USERNAME_TAKEN',
        'ACCOUNTS_EMAIL_TAKEN',
        ...(givesRoles ? (['ACCOUNTS_CONFIRMATION_REQUIRED'] as const) : []),
      ],
    },
    access: 'anyone-known',
    budget: 'create',
    schema: {
      body: body as typeof account & { static: RolesBody },
      response: createdReplies(options, hasOtherWays),
    },
    async handle({ body, who, client }, deps) {
      const { password, confirm_password: confirmPassword, roles, ...others } = body
      const { transient, ...input } = accountInput(options, others)
      const pair = pairOf({ password, confirmPassword }, input.email)
      const actor = who && accountUser(who.user)
      // As when they are changed.
      if (who !== null && roles !== undefined) requireConfirmed(who)
      await checkMayGrant(options, actor, roles)
      const method = pair === undefined ? 'email' : 'password'
      const granted = await admitSignUp(deps, { actor, client }, { method, input, pair, transient })
      const profile = { ...input, roles }
      const beginning = pair ? { input: { ...profile, ...pair } } : { input: profile, proof: addressAlone }
      const isOwn = (user: User) => deps.signUp.isFor(client, user)
      const signedUp = await createUser(deps, actor, { ...beginning, granted }, variant, isOwn)
      return created(deps, { who, client }, signedUp)
    },
  })
}

/**
 * The password and its repetition; nothing if both are missing, or empty, where the address alone will do.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if there is one without the other, or neither a password nor an address
 */
function pairOf(
  { password, confirmPassword }: { password?: string | undefined; confirmPassword?: string | undefined },
  email: string | null | undefined,
): PasswordPair | undefined {
  if (password && confirmPassword) return { password, confirmPassword }
  if (confirmPassword) throw invalidInput(fieldError('password', 'required'))
  if (password) throw invalidInput(fieldError('confirm_password', 'required'))
  if (!email) throw invalidInput(fieldError('email', 'required'))
  return undefined
}
