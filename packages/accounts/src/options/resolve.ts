import type { RegisterOptions } from 'fastify'
import type { FieldError } from '../errors.js'
import type { FieldsSchema } from '../user.js'
import { compileFields } from '../validation.js'
import { checkKeys, type FeatureNames, fail } from './checks.js'
import type { Limits } from './limits.js'
import { type AccountsOptions, type Authorize, defaultAuthorize } from './options.js'
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
  readonly password: InForce['password'] & {
    /** Passwords that nobody may choose, because everybody would guess them (NIST SP 800-63B-4 section 3.1.1.2). */
    readonly siteNames: readonly string[]
  }
  /** Your own fields, if any. */
  readonly fields: FieldsSchema | undefined
  /** Checks the values of your own fields. */
  readonly checkFields: (value: unknown) => FieldError[]
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
  known: FeatureNames,
): ResolvedOptions {
  // Fastify's own, passed along from register(). The log serializers are ours, because they mask secrets.
  const { logLevel: _, ...given } = checkKeys('', options, [...optionTable.names, 'logLevel'])
  const site = parseSite(given.baseUrl, 'baseUrl')
  const inForce = optionTable.check(given, '', { ...known, site, siblings: {} })
  const fields = inForce.users === false ? undefined : inForce.users.fields
  checkList(inForce)
  checkPepper(given.password, inForce)
  const names = inForce.users === false ? 'required' : inForce.users.names
  return Object.freeze({
    ...inForce,
    names,
    login: loginBy(names, inForce.login, given.login?.by !== undefined),
    origin: site.origin,
    secure: site.protocol === 'https:',
    decidedOnConfirmation: given.requireEmailConfirmation !== undefined,
    authorize: { ...defaultAuthorize, ...inForce.authorize },
    password: { ...inForce.password, siteNames: [...siteNames(site.hostname), inForce.brand.name] },
    fields,
    checkFields: compileFields(fields),
    limits: inForce.throttle === false ? false : inForce.throttle.limits,
  })
}

/** A store that can't list must not silently remove GET /user/. */
function checkList({ users, userStore }: Pick<InForce, 'users' | 'userStore'>): void {
  const isMounted = users !== false && users.variant !== 'signup' && users.list
  if (isMounted && userStore !== undefined && userStore.list === undefined)
    fail('users.list', 'must be false, since the user store has no method list')
}

/** An unset variable must not turn the pepper off, and a key that signs links must not be reused. */
function checkPepper(given: AccountsOptions['password'], { password, secret }: InForce): void {
  if (given !== undefined && 'pepper' in given && given.pepper === undefined)
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
