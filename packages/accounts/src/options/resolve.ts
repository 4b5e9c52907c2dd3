import { availableParallelism } from 'node:os'
import type { SessionStore } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import type { FieldsSchema } from '../user.js'
import { compileFields } from '../validation.js'
import {
  checkAdapter,
  checkBoolean,
  checkFunctions,
  checkInteger,
  checkKeys,
  checkMilliseconds,
  checkOneOf,
  checkPattern,
  checkPrefix,
  fail,
} from './checks.js'
import {
  type AccountsOptions,
  day,
  defaultAdapterTimeout,
  defaultAuthorize,
  defaultLimits,
  hour,
  type Limits,
  minute,
  type ResolvedOptions,
  second,
  type UsersOptions,
} from './options.js'
import { forbidUnknown } from './own-fields.js'
import { checkBrand } from './resolve-brand.js'
import { checkLanguages } from './resolve-languages.js'

/** The names of a user's own view and of the creation form: no field of an integrator may take them. */
const takenFieldNames = new Set([
  'id',
  'username',
  'email',
  'is_verified',
  'is_staff',
  'is_active',
  'created_at',
  'last_login_at',
  'password',
  'confirm_password',
])

/**
 * Checks the options and puts the defaults in; the caller's object stays as it is.
 * @throws Error with one line that names the option
 */
export function resolveOptions(options: AccountsOptions): ResolvedOptions {
  const known = checkKeys('options', options, [
    ...[
      'secret',
      'baseUrl',
      'prefix',
      'auth',
      'users',
      'login',
      'requireEmailConfirmation',
      'apiRoot',
      'userStore',
      'sessionStore',
      'mailer',
    ],
    ...['tokenSigner', 'passwordHasher', 'authorize', 'emails', 'password', 'session', 'links', 'throttle'],
    ...[
      'brand',
      'languages',
      'changePasswordUrl',
      'errorAnswers',
      'trustedOrigins',
      'constraints',
      'adapterTimeout',
      'auditLog',
      'decorateAs',
    ],
    // Fastify's own, passed along from register(). Serializers of the log are ours: they mask what is secret.
    ...['logLevel'],
  ])
  const baseUrl = checkBaseUrl(known.baseUrl)
  const auth = known.auth ?? {}
  const users = known.users === true ? {} : (known.users ?? false)
  const password = checkKeys('password', known.password ?? {}, ['minLength', 'maxLength', 'concurrency'])
  const session = checkKeys('session', known.session ?? {}, [
    'cookieName',
    'idleTimeout',
    'absoluteTimeout',
    'confirmLifetime',
    'ip',
    'newDeviceMail',
    'clearSiteData',
  ])
  const links = checkKeys('links', known.links ?? {}, [
    'resetLifetime',
    'verifyLifetime',
    'changeEmailLifetime',
    'undoLifetime',
  ])
  const throttle =
    known.throttle === false ? {} : checkKeys('throttle', known.throttle ?? {}, ['store', 'limits'])
  const decorateAs = checkKeys('decorateAs', known.decorateAs ?? {}, ['instance', 'request'])
  const absoluteTimeout = checkMilliseconds(
    'session.absoluteTimeout',
    session.absoluteTimeout ?? 30 * day,
    second,
  )
  const resolvedUsers = users === false ? false : checkUsers(users)
  const fields = users === false || users.fields === undefined ? undefined : forbidUnknown(users.fields)

  return Object.freeze({
    secrets: checkSecrets(known.secret),
    baseUrl: baseUrl.href.replace(/\/+$/, ''),
    origin: baseUrl.origin,
    secure: baseUrl.protocol === 'https:',
    prefix: checkPrefix('prefix', known.prefix),
    auth:
      auth === false
        ? false
        : { prefix: checkPrefix('auth.prefix', checkKeys('auth', auth, ['prefix']).prefix) },
    users: resolvedUsers,
    fields,
    checkFields: compileOrFail(fields),
    login: checkLogin(known.login ?? {}),
    requireEmailConfirmation: checkBoolean(
      'requireEmailConfirmation',
      known.requireEmailConfirmation ?? false,
    ),
    changePasswordUrl: checkChangePasswordUrl(known.changePasswordUrl, baseUrl),
    errorAnswers: checkOneOf('errorAnswers', known.errorAnswers ?? 'host', ['host', 'plugin']),
    brand: checkBrand(known.brand ?? {}, baseUrl),
    languages: checkLanguages(known.languages ?? {}),
    apiRoot: checkBoolean('apiRoot', known.apiRoot ?? true),
    authorize: {
      ...defaultAuthorize,
      ...checkFunctions('authorize', known.authorize ?? {}, Object.keys(defaultAuthorize)),
    },
    password: {
      minLength: checkInteger('password.minLength', password.minLength ?? 8, 8, 64),
      maxLength: checkInteger('password.maxLength', password.maxLength ?? 256, 64, 1024),
      concurrency: checkInteger('password.concurrency', password.concurrency ?? spareThreads(), 1, 128),
      siteNames: [
        ...siteNames(baseUrl.hostname),
        ...(known.brand?.name === undefined ? [] : [known.brand.name]),
      ],
    },
    session: {
      cookieName: checkPattern(
        'session.cookieName',
        session.cookieName ?? 'session',
        /^[A-Za-z0-9_-]{1,64}$/,
      ),
      idleTimeout: checkMilliseconds(
        'session.idleTimeout',
        session.idleTimeout ?? Math.min(7 * day, absoluteTimeout),
        second,
        absoluteTimeout,
      ),
      absoluteTimeout,
      confirmLifetime: checkMilliseconds(
        'session.confirmLifetime',
        session.confirmLifetime ?? Math.min(15 * minute, absoluteTimeout),
        1,
        absoluteTimeout,
      ),
      ip: checkOneOf('session.ip', session.ip ?? 'truncated', ['full', 'truncated', 'off']),
      newDeviceMail: checkBoolean('session.newDeviceMail', session.newDeviceMail ?? true),
      clearSiteData: checkBoolean('session.clearSiteData', session.clearSiteData ?? false),
    },
    links: {
      resetLifetime: checkLifetime('links.resetLifetime', links.resetLifetime ?? hour),
      verifyLifetime: checkLifetime('links.verifyLifetime', links.verifyLifetime ?? day),
      changeEmailLifetime: checkLifetime('links.changeEmailLifetime', links.changeEmailLifetime ?? day),
      undoLifetime: checkLifetime('links.undoLifetime', links.undoLifetime ?? 7 * day),
    },
    limits: known.throttle === false ? false : checkLimits(throttle.limits ?? {}),
    trustedOrigins: checkOrigins(known.trustedOrigins ?? []),
    constraints: known.constraints,
    adapterTimeout: checkMilliseconds(
      'adapterTimeout',
      known.adapterTimeout ?? defaultAdapterTimeout,
      1,
      10 * minute,
    ),
    auditLog: checkBoolean('auditLog', known.auditLog ?? false),
    decorateAs: {
      instance: checkPattern('decorateAs.instance', decorateAs.instance ?? 'accounts', /^[A-Za-z_$][\w$]*$/),
      request: checkPattern('decorateAs.request', decorateAs.request ?? 'user', /^[A-Za-z_$][\w$]*$/),
    },
    given: {
      requireEmailConfirmation: known.requireEmailConfirmation,
      userStore: checkUserStore(known.userStore),
      sessionStore: checkSessionStore(known.sessionStore),
      mailer: checkAdapter('mailer', known.mailer, ['send']),
      tokenSigner: checkAdapter('tokenSigner', known.tokenSigner, ['sign', 'verify']),
      passwordHasher: checkAdapter('passwordHasher', known.passwordHasher, [
        'hash',
        'canVerify',
        'verify',
        'needsRehash',
      ]),
      throttleStore: checkAdapter('throttle.store', throttle.store, ['increment', 'decrement', 'clear']),
      emails: checkFunctions('emails', known.emails ?? {}, [
        'reset-password',
        'choose-password',
        'verify-email',
        'account-exists',
        'password-changed',
        'change-email',
        'email-changed',
        'email-taken',
        'new-device',
      ]),
    },
  } as ResolvedOptions)
}

function checkLogin(given: NonNullable<AccountsOptions['login']>): ResolvedOptions['login'] {
  const { by = ['username', 'email'] } = checkKeys('login', given, ['by'])
  if (!Array.isArray(by) || by.length === 0)
    fail('login.by', "must be a list of 'username', 'email', or both")
  for (const each of by) checkOneOf('login.by', each, ['username', 'email'])
  return { byUsername: by.includes('username'), byEmail: by.includes('email') }
}

/** How long a link lives: tokens know whole seconds. */
function checkLifetime(option: string, value: number): number {
  return checkMilliseconds(option, value, second, 30 * day, second)
}

/** One core less than there are, for all that is not hashing, and one of libuv's threads less. */
function spareThreads(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4
  return Math.max(1, Math.min(availableParallelism(), threads) - 1)
}

function checkUserStore(store: UserStore | undefined): UserStore | undefined {
  const methods = ['create', 'findById', 'findByUsername', 'findByEmail', 'list', 'update', 'delete']
  checkAdapter('userStore', store, methods)
  checkAdapter('userStore.outbox', store?.outbox, ['add', 'claim', 'renew', 'postpone', 'remove', 'count'])
  return store
}

function checkSessionStore(store: SessionStore | undefined): SessionStore | undefined {
  const { create, destroy }: { create?: unknown; destroy?: unknown } = store ?? {}
  if (typeof destroy === 'function' && typeof create !== 'function') {
    fail(
      'sessionStore',
      'is a store for express-session, which knows no users: register @fastify/session with it before fastify-accounts and leave the option out; to list the sessions of a user, or end one of them, is then off',
    )
  }
  checkAdapter('sessionStore.withUsers', store?.withUsers, ['find'])
  return checkAdapter('sessionStore', store, [
    'create',
    'find',
    'touch',
    'delete',
    'listByUser',
    'deleteByUser',
    'deleteExpired',
  ])
}

/** What the site is called: each label of its host, and each domain that the host is in. */
function siteNames(host: string): string[] {
  const labels = host.split('.')
  return labels.flatMap((label, at) => [label, labels.slice(at).join('.')])
}

function checkSecrets(secret: unknown): readonly string[] {
  if (secret === undefined) fail('secret', 'is missing: `npx fastify-accounts secret` prints one')
  const secrets: unknown[] = Array.isArray(secret) ? [...secret] : [secret]
  if (secrets.length === 0) fail('secret', 'must hold at least one secret')
  for (const each of secrets) {
    if (typeof each !== 'string' || Buffer.byteLength(each) < 32)
      fail('secret', 'must be at least 32 bytes long, each of several too')
    if (new Set(each).size < 8) fail('secret', 'must not be guessable: take 32 random bytes')
  }
  if (new Set(secrets).size < secrets.length) fail('secret', 'must not hold the same secret twice')
  return secrets as string[]
}

function checkBaseUrl(value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    fail('baseUrl', 'must be the http(s) URL at which users reach the service, such as https://example.org')
  }
  if (url.search || url.hash || url.username || url.password)
    fail('baseUrl', 'must not have a query, a fragment or credentials')
  return url
}

/** A path is one of the site; without it, its own page is meant. */
function checkChangePasswordUrl(value: unknown, baseUrl: URL): false | string | undefined {
  if (value === undefined || value === false) return value
  const url = typeof value === 'string' && URL.canParse(value, baseUrl.href) ? new URL(value, baseUrl) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    fail('changePasswordUrl', 'must be false, a path such as /account/password, or an http(s) URL')
  return url.href
}

function checkLimits(given: Partial<Limits>): Limits {
  checkKeys('throttle.limits', given, Object.keys(defaultLimits))
  const limits: Limits = { ...defaultLimits, ...given }
  for (const [name, limit] of Object.entries(limits)) {
    const option = `throttle.limits.${name}`
    checkKeys(option, limit, ['max', 'window'])
    checkInteger(`${option}.max`, limit.max, 1)
    checkMilliseconds(`${option}.window`, limit.window, second)
  }
  return limits
}

function checkOrigins(origins: unknown): readonly string[] {
  if (!Array.isArray(origins)) fail('trustedOrigins', 'must be a list of origins')
  for (const origin of origins) {
    if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      fail(
        'trustedOrigins',
        `must hold origins such as https://app.example.org, with nothing behind the host and the port; this is none: ${String(origin)}`,
      )
    }
  }
  return [...origins]
}

function checkUsers(users: UsersOptions): Required<Omit<UsersOptions, 'fields'>> {
  checkKeys('users', users, ['prefix', 'variant', 'verifyLinks', 'fields', 'publicFields'])
  const own = checkFields(users.fields)
  const publicFields = users.publicFields ?? []
  if (!Array.isArray(publicFields)) fail('users.publicFields', 'must be a list of field names')
  for (const name of publicFields) {
    const isView = takenFieldNames.has(name) && !name.endsWith('password')
    if (!isView && !own.includes(name))
      fail('users.publicFields', `names a field that does not exist: ${String(name)}`)
  }
  return {
    prefix: checkPrefix('users.prefix', users.prefix),
    variant: checkOneOf('users.variant', users.variant ?? 'both', ['user', 'signup', 'both']),
    verifyLinks: checkOneOf('users.verifyLinks', users.verifyLinks ?? 'json', ['json', 'open', 'click']),
    publicFields: [...publicFields],
  }
}

function compileOrFail(fields: FieldsSchema | undefined): ResolvedOptions['checkFields'] {
  try {
    return compileFields(fields)
  } catch (error) {
    fail('users.fields', `cannot be compiled: ${(error as Error).message}`)
  }
}

function checkFields(fields: FieldsSchema | undefined): string[] {
  if (fields === undefined) return []
  if (fields?.type !== 'object' || typeof fields.properties !== 'object')
    fail('users.fields', 'must be a JSON Schema of an object, with properties')
  const names = Object.keys(fields.properties)
  for (const name of names) {
    if (takenFieldNames.has(name)) fail('users.fields', `must not redefine ${name}`)
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
      fail('users.fields', `must have names in snake_case; this is none: ${name}`)
  }
  return names
}
