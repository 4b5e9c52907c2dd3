import type { FieldError } from '../../errors.js'
import type { Access } from '../../http/guard/access.js'
import type { Handle, Input, MakePage } from '../../http/operation.js'
import { noReply, passwordLengthsReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { holdsPassword, type User } from '../../user.js'
import type { Feature, FeatureCore } from '../feature.js'
import { changePassword } from './change-password.js'
import { changeFormPage, passwordChangedPage } from './pages.js'
import { removePassword } from './remove-password.js'
import { changePasswordBody } from './schemas.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'change-password': 'change-password' | 'change-password-form'
    'remove-password': 'password'
  }
}

/** Users change their own password, set a first one, or remove it. */
export const password: Feature = {
  name: 'password',
  routes: (core) => ({ auth: [changeRoute, ...formRoutes(core), removeRoute] }),
}

/** With a second factor, a password alone allows nothing. A first one needs no old one, and is another way to log in. */
function accessFor(user: User): Access | null {
  if (!holdsPassword(user)) return 'owner'
  return user.factors.length > 0 ? 'confirmed' : null
}

const changing = {
  method: 'POST',
  access: 'logged-in',
  accessFor,
  budget: 'ownPassword',
  schema: { body: changePasswordBody, response: { 204: noReply } },
} as const

/** What both ways to change it return. */
const change: Handle<(typeof changing)['schema'], 'logged-in'> = async ({ body, who, client }, deps) => {
  // A first password proves nothing.
  const methods = holdsPassword(who.user) ? ['pwd'] : []
  const { old_password: oldPassword, new_password: newPassword, confirm_password: confirmPassword } = body
  const passwords = { oldPassword, newPassword, confirmPassword }
  const sessions = { own: 'continue', others: 'end', client, methods } as const
  await changePassword(deps, who.user, passwords, sessions)
  return { page: passwordChangedPage }
}

const changeRoute = route({
  ...changing,
  name: 'change-password',
  action: 'change-password',
  path: '/change-password/',
  operation: {
    id: 'changePassword',
    host: 'setPassword()',
    summary: 'Change the password, or set a first one after a recent login',
    asks: [],
    errors: ['ACCOUNTS_CONFIRMATION_REQUIRED'],
    setsSession: true,
  },
  handle: change,
})

/** The same as a page: its form, and the submission. */
function formRoutes({ options }: FeatureCore): Route[] {
  const lengths = options.password
  const formOf =
    ({ who }: Pick<Input<object, 'logged-in'>, 'who'>, faults: readonly FieldError[] = []): MakePage =>
    (theme) =>
      changeFormPage(theme, {
        username: ownersName(options, who.user),
        isFirst: !holdsPassword(who.user),
        lengths,
        faults,
      })

  return [
    route({
      name: 'change-password-form',
      action: 'change-password',
      method: 'GET',
      path: '/change-password/form/',
      operation: { id: 'showChangePasswordForm', host: 'page', summary: 'Show the form' },
      access: 'logged-in',
      budget: null,
      linkPage: true,
      schema: { response: { 200: passwordLengthsReply } },
      handle: (input) => ({
        body: { min_length: lengths.minLength, max_length: lengths.maxLength },
        page: formOf(input),
      }),
    }),
    route({
      ...changing,
      name: 'change-password-form',
      action: 'change-password',
      path: '/change-password/form/',
      operation: {
        id: 'submitChangePasswordForm',
        host: 'page',
        summary: 'Change the password by the form',
        asks: [],
        errors: ['ACCOUNTS_CONFIRMATION_REQUIRED'],
        setsSession: true,
      },
      linkPage: true,
      handle: change,
      formAgain: formOf,
    }),
  ]
}

const removeRoute = route({
  name: 'password',
  action: 'remove-password',
  method: 'DELETE',
  path: '/password/',
  operation: {
    id: 'removePassword',
    host: 'choice',
    summary: 'Remove the password, unless it is the last way to log in',
    errors: ['ACCOUNTS_NOT_FOUND'],
    setsSession: true,
  },
  access: 'owner',
  budget: null,
  schema: { response: { 204: noReply } },
  async handle({ who, client }, deps) {
    await removePassword(deps, who.user, { own: 'continue', others: 'end', client, methods: [] })
    return {}
  },
})
