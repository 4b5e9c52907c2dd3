import type { RegisterOptions } from 'fastify'
import type { FieldError } from '../errors.js'
import type { FieldsSchema } from '../user.js'
import { compileFields } from '../validation.js'
import { checkKeys, type FeatureNames, fail } from './checks.js'
import { defaultAuthorize } from './default-authorize.js'
import type { Limits } from './limits.js'
import type { AccountsOptions, Authorize } from './options.js'
import { parseSite } from './special-checks.js'
import { optionTable } from './table.js'

type InForce = ReturnType<typeof optionTable.check>

/** The options with every default applied; adapters stay absent if the plugin makes the default. */
export interface ResolvedOptions extends Omit<InForce, 'authorize' | 'password'> {
  /** Of `baseUrl`. */
  readonly origin: string
  /** Whether `baseUrl` is https. */
  readonly secure: boolean
  /** Whether the host has set `requireEmailConfirmation`; if not, a start warning recommends it. */
  readonly decidedOnConfirmation: boolean
  readonly authorize: Authorize
  /** The rules of `authorize` that are the app's. */
  readonly ownRules: Partial<Authorize>
  readonly password: InForce['password'] & {
    /** Passwords that nobody may choose, because everybody would guess them (NIST SP 800-63B-4 section 3.1.1.2). */
    readonly siteNames: readonly string[]
  }
  /** Your own fields, if any. */
  readonly fields: FieldsSchema | undefined
  /** Checks the values of your own fields. */
  readonly checkFields: (value: unknown) => FieldError[]
  /** Checks what a sign-up carries by `signUp.fields`. */
  readonly checkSignUpFields: (value: unknown) => FieldError[]
  readonly limits: Readonly<Limits> | false
  /** `users.names`, even if the users routes are off. */
  readonly names: 'required' | 'optional' | 'none'
}

/**
 * Checks the options and applies the defaults; the caller's object stays unchanged.
 * @throws Error with one line that names the option
 */
export function resolveOptions(
  options: AccountsOptions & Pick<RegisterOptions, 'logLevel'>,
  featureNames: FeatureNames,
): ResolvedOptions {
  // Fastify's own, passed along from register(). The log serializers are ours, because they mask secrets.
  const { logLevel: _, ...ownOptions } = checkKeys('', options, [...optionTable.names, 'logLevel'])
  const site = parseSite(ownOptions.baseUrl, 'baseUrl')
  const inForce = optionTable.check(ownOptions, '', { ...featureNames, site, siblings: {} })
  const fields = inForce.users === false ? undefined : inForce.users.fields
  checkList(inForce)
  checkSignUpFields(inForce)
  checkPepper(ownOptions.password, inForce)
  checkPublicRoles(inForce)
  const names = inForce.users === false ? 'required' : inForce.users.names
  return Object.freeze({
    ...inForce,
    names,
    login: loginBy(names, inForce.login, ownOptions.login?.by !== undefined),
    origin: site.origin,
    secure: site.protocol === 'https:',
    decidedOnConfirmation: ownOptions.requireEmailConfirmation !== undefined,
    authorize: { ...defaultAuthorize(inForce.roles), ...inForce.authorize },
    ownRules: inForce.authorize,
    password: { ...inForce.password, siteNames: [...siteNames(site.hostname), inForce.brand.name] },
    fields,
    checkFields: compileFields(fields),
    checkSignUpFields: compileFields(inForce.signUp.fields),
    limits: inForce.throttle === false ? false : inForce.throttle.limits,
  })
}

/** What a store can't do must not silently be missing from GET /user/. */
function checkList({ users, userStore }: Pick<InForce, 'users' | 'userStore'>): void {
  const isMounted = users !== false && users.variant !== 'signup' && users.list
  if (isMounted && userStore !== undefined && userStore.list === undefined)
    fail('users.list', 'must be false, since the user store has no method list')
  const searches = users !== false && users.searchFields.length > 0
  if (searches && userStore !== undefined && !userStore.listsBy?.includes('search'))
    fail('users.searchFields', "must be empty, since the user store doesn't list by 'search'")
}

/** What is never stored must be told apart from what is. */
function checkSignUpFields({ users, signUp: { fields } }: Pick<InForce, 'users' | 'signUp'>): void {
  if (fields === undefined) return
  if (users === false)
    fail('signUp.fields', 'must be omitted while the option users is false: nobody can sign up')
  const stored = users.fields?.properties ?? {}
  const taken = Object.keys(fields.properties).find((name) => Object.hasOwn(stored, name))
  if (taken !== undefined) fail('signUp.fields', `must not redefine ${taken}, which users.fields has`)
}

/** Without roles there are none to show. */
function checkPublicRoles({ users, roles }: Pick<InForce, 'users' | 'roles'>): void {
  if (users !== false && users.publicFields.includes('roles') && roles === undefined)
    fail('users.publicFields', 'must not have roles without the option roles')
}

/** An unset variable must not turn the pepper off, and a key that signs links must not be reused. */
function checkPepper(passwordOptions: AccountsOptions['password'], { password, secret }: InForce): void {
  if (passwordOptions !== undefined && 'pepper' in passwordOptions && passwordOptions.pepper === undefined)
    fail('password.pepper', 'is undefined: omit it instead')
  if (password.pepper.some((pepper) => secret.includes(pepper)))
    fail('password.pepper', 'must differ from secret')
}

/** Without usernames nobody can log in with one; if they are optional, login by address must be on. */
function loginBy(
  names: ResolvedOptions['names'],
  login: ResolvedOptions['login'],
  isGiven: boolean,
): ResolvedOptions['login'] {
  if (names === 'none') {
    if (isGiven && login.byUsername)
      fail('login.by', "must be ['email'] when users.names is 'none', since there are no usernames")
    return { ...login, byUsername: false, byEmail: true }
  }
  if (names === 'optional' && !login.byEmail)
    fail(
      'login.by',
      "must include 'email' when users.names is 'optional', since an account may have no username",
    )
  return login
}

/** The names of the site: each label of its host, and each domain that the host is in. */
function siteNames(host: string): string[] {
  const labels = host.split('.')
  return labels.flatMap((label, at) => [label, labels.slice(at).join('.')])
}
