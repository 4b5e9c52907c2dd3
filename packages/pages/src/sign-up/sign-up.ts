import { AccountsError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { alreadyIn } from '../entrance/already-in.js'
import { landed } from '../entrance/step.js'
import { formPage, isRefusal, type Outcome } from '../form-page.js'
import { type Language, ownFieldsOf } from '../parts/own-field.js'
import { valuesOf } from '../parts/own-fields.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { closedSignUp } from './closed.js'
import { needsEmail } from './needs-email.js'
import { signUpForm } from './sign-up-form.js'

/** Creates an account, and logs in at once if no email has to be read first. */
export function signUpPage(site: Site): PageRoute {
  return formPage(site, {
    path: '/signup/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    async view(visit, state) {
      const own = visit.client.language.texts.pages.sign_up_pages
      const next = site.nextOf(visit.query.next ?? state.typed.next)
      const { who, query } = visit
      // Back from a provider.
      if (typeof query.in === 'string' && query.canceled === undefined) {
        const second_factor = query.second_factor === undefined ? null : ''
        return { elsewhere: site.pathOf('/login/', { in: query.in, next, second_factor }) }
      }
      if (who !== null) return alreadyIn(site, visit, who.user, next, { page: 'signup', label: own.another })
      if (!(await isOpen(site))) return closedSignUp(site, visit, next)
      const isFirst = Object.keys(state.typed).length === 0
      const typed = isFirst ? (site.signUps.open(visit.query.from) ?? {}) : state.typed
      const main = signUpForm(site, visit, { ...state, typed }, next)
      return { page: 'signup', kind: 'form', heading: own.heading, main }
    },
    async act(visit, typed) {
      const next = site.nextOf(typed.next)
      // Logged in meanwhile, in another tab.
      if (visit.who !== null) return { to: site.pathOf('/signup/', { next }) }
      const { status } = await visit
        .perform(operationOf(site), { body: bodyOf(site, visit, typed) })
        .catch((error: unknown) => {
          throw ownEarlier(visit, error, typed, site.signUps.open(visit.query.from)) ?? error
        })
      if (status === 201) return enter(site, visit, typed, next)
      return readEmail(site, visit, typed, next)
    },
  })
}

/** Whether strangers may sign up, as far as the app's rule says without one; the operation asks again. */
async function isOpen({ core }: Site): Promise<boolean> {
  try {
    return await core.options.authorize.createUser(null)
  } catch {
    // It may come to itself until the form is sent.
    return true
  }
}

/** The operation of the routes that the app has. */
function operationOf({ core: { options } }: Site): string {
  return options.users !== false && options.users.variant === 'user' ? 'createUser' : 'signUp'
}

/** @throws AccountsError if there is no password or address, which names all that is missing */
function bodyOf({ core: { options } }: Site, visit: PageVisit, typed: Typed): object {
  const { language } = visit.client
  const { username, email, password, way } = typed
  const isByCode = way === 'codes'
  // The operation may do without them.
  if (!isByCode && (!password || (needsEmail(options) && !email))) throw missing(options, typed, language)
  return {
    ...valuesOf(options.fields, typed, language),
    ...valuesOf(options.signUp.fields, typed, language),
    ...(username && { username }),
    ...(email && { email }),
    ...(!isByCode && { password, confirm_password: password }),
  }
}

function missing(options: Site['core']['options'], typed: Typed, language: Language): AccountsError {
  const { names, fields, signUp } = options
  const own = [fields, signUp.fields].flatMap((schema) => ownFieldsOf(schema, language))
  const required = [
    ...(needsEmail(options) || (names === 'optional' && !typed.username) ? ['email'] : []),
    ...(names === 'required' ? ['username'] : []),
    ...own.filter(({ isRequired, kind }) => isRequired && kind !== 'fixed').map(({ name }) => name),
    'password',
  ]
  const message = language.texts.fields.required
  return new AccountsError('ACCOUNTS_INVALID_INPUT', {
    fields: required.filter((name) => !typed[name]).map((field) => ({ field, code: 'required', message })),
  })
}

/** Says that a username is taken by the same person, who has come back to change the address; `null` if not. */
function ownEarlier(
  { client }: PageVisit,
  error: unknown,
  { username }: Typed,
  earlier: Typed | null,
): AccountsError | null {
  const isTaken = error instanceof AccountsError && error.code === 'ACCOUNTS_USERNAME_TAKEN'
  if (!isTaken || earlier?.email === undefined || earlier.username !== username) return null
  const { say, texts } = client.language
  const message = say(texts.pages.sign_up_pages.reserved, { email: earlier.email })
  return new AccountsError('ACCOUNTS_INVALID_INPUT', {
    fields: [{ field: 'username', code: 'invalid', message }],
  })
}

/** Logs in who has just signed up. What keeps them out is said where they log in. */
async function enter(site: Site, visit: PageVisit, typed: Typed, next: string | null): Promise<Outcome> {
  const { login } = site.core.options
  const { username, email = '', password } = typed
  const name = username && login.byUsername ? username : email
  const own = visit.client.language.texts.pages.sign_up_pages
  try {
    await visit.perform('logIn', { body: { username: name, password } })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The account is there by now, whatever keeps its login out.
    return { to: site.pathOf('/login/', { next }), notice: own.ready }
  }
  return { to: landed(site, { next, way: 'password' }) }
}

/** The same page whether or not the address has an account. */
function readEmail(site: Site, { client }: PageVisit, typed: Typed, next: string | null): Outcome {
  site.returns.keep(client, next)
  return {
    to: site.pathOf('/signup/sent/', { to: site.signUps.seal(typed), sent: String(Date.now()), next }),
  }
}
