import { availableParallelism } from 'node:os'
import type { RouteOptions } from 'fastify'
import { type ActivityStore, activityStoreMethods } from '../seams/activity-store.js'
import type { BeforeRules } from '../seams/before.js'
import type { EmailTemplates, OwnEmails } from '../seams/email-templates.js'
import type { Subscriber } from '../seams/events.js'
import { type InvitationStore, invitationStoreMethods } from '../seams/invitation-store.js'
import type { Mailer } from '../seams/mailer.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import { type ThrottleStore, throttleStoreMethods } from '../seams/throttle-store.js'
import type { TokenSigner } from '../seams/token-signer.js'
import {
  adapter,
  bool,
  type Check,
  type Context,
  checkKeys,
  fail,
  functions,
  integer,
  link,
  milliseconds,
  object,
  oneOf,
  path,
  pattern,
  type Some,
  seam,
  someOf,
  textLine,
  timeZone,
  withoutUnset,
} from './checks.js'
import { defaultAuthorize } from './default-authorize.js'
import { fieldsSchema, publicFields, searchFields, signUpFields } from './field-checks.js'
import { languagesOf, offered, texts, withTexts } from './language-checks.js'
import { group, into, orBoolean, orFalse } from './option.js'
import { type Authorize, defaultAdapterTimeout, defaultUndoLifetime } from './options.js'
import { rolesOption } from './roles.js'
import {
  checkFeatureList,
  color,
  limits,
  origins,
  pages,
  passwordCheck,
  paths,
  peppers,
  pictureUrl,
  secrets,
  sessionStore,
  siteUrl,
  userStore,
} from './special-checks.js'
import { day, hour, minute, second } from './time.js'

/** Named, so the types of the build can refer to it. */
export interface Constraints extends NonNullable<RouteOptions['constraints']> {}

/** How long a link is valid: tokens use whole seconds. */
const lifetime = milliseconds({ min: second, max: 30 * day, step: second })

const decoratorName = pattern(/^[A-Za-z_$][\w$]*$/)

/** Milliseconds, at most a session's maximum lifetime. */
function withinSession(usual: number, min: number) {
  const maxOf = ({ siblings }: Context) => siblings.absoluteTimeout as number
  const check: Check<number> = (value, option, context) =>
    milliseconds({ min, max: maxOf(context) })(value, option, context)
  return { check, defaultFrom: (context: Context) => Math.min(usual, maxOf(context)) }
}

/** Leaves one core, and one of libuv's threads, for everything but hashing. */
function spareThreads(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4
  return Math.max(1, Math.min(availableParallelism(), threads) - 1)
}

const pathOrUrl = link('false, a path such as /account/password, or an http(s) URL')
const changePasswordUrl: Check<false | string> = (value, option, context) =>
  value === false ? false : pathOrUrl(value, option, context)

/** By kind of email. */
const templates: Check<Some<EmailTemplates>, Partial<EmailTemplates>> = (value, option, context) =>
  functions<EmailTemplates>(context.mailKinds)(withoutUnset(value), option, context)

const beforeRules: Check<Some<BeforeRules>, Partial<BeforeRules>> = (value, option, context) =>
  functions<BeforeRules>(['signUp', 'logIn', 'changeEmail'])(withoutUnset(value), option, context)

const mailName = pattern(/^[a-z][a-z0-9-]{0,63}$/)

/** Their names appear in stored emails and in your mailer, so each means one email. */
const ownEmails: Check<OwnEmails> = (value, option, context) => {
  const names = Object.keys(checkKeys(option, value, Object.keys(value ?? {})))
  for (const name of names) {
    if (context.mailKinds.includes(name))
      fail(`${option}.${name}`, 'is the name of a shipped email: the option emails replaces that')
    mailName(name, `${option}: a name`, context)
  }
  return functions<OwnEmails>(names)(value, option, context) as OwnEmails
}

const subscriberName = pattern(/^[a-z][a-z0-9-]{0,63}$/)

/** Which types of event there are depends on features; a name that means none is refused where they are known. */
const subscribers: Check<Readonly<Record<string, Subscriber>>> = (value, option, context) => {
  const names = Object.keys(checkKeys(option, value, Object.keys(value ?? {})))
  for (const name of names) {
    subscriberName(name, `${option}: a name`, context)
    const handlers = value[name]
    functions<Subscriber>(Object.keys(handlers ?? {}))(handlers as Subscriber, `${option}.${name}`, context)
  }
  return value
}

/**
 * Every option with its default and its check. `ResolvedOptions`, which the plugin reads, is derived from it;
 * options.ts documents the same for apps, and doesn't compile if the two differ.
 */
export const optionTable = group({
  secret: { check: secrets },
  baseUrl: { check: siteUrl },
  prefix: { default: '', check: path },
  auth: orFalse(group({ prefix: { default: '', check: path } })),
  users: orBoolean(
    group({
      prefix: { default: '', check: path },
      variant: { default: 'both', check: oneOf('user', 'signup', 'both') },
      verifyLinks: { default: 'json', check: oneOf('json', 'open', 'click') },
      list: { default: true, check: bool },
      pageSize: { default: 100, check: integer({ min: 1, max: 500 }) },
      names: { default: 'required', check: oneOf('required', 'optional', 'none') },
      fields: { default: undefined, check: fieldsSchema },
      publicFields: { default: [], check: publicFields },
      searchFields: { default: [], check: searchFields },
    }),
  ),
  login: into(
    group({
      by: { default: ['username', 'email'], check: someOf('username', 'email') },
      emailCode: { default: false, check: bool },
    }),
    ({ by, emailCode }) => ({
      byUsername: by.includes('username'),
      byEmail: by.includes('email'),
      emailCode,
    }),
  ),
  requireEmailConfirmation: { default: false, check: bool },
  emailAddresses: { default: 'any', check: oneOf('any', 'ascii') },
  /** `undefined` is our own page. */
  changePasswordUrl: { default: undefined, check: changePasswordUrl },
  errorResponses: { default: 'plugin', check: oneOf('plugin', 'host') },
  features: { default: [], check: checkFeatureList },
  openapi: group({ forms: { default: false, check: bool }, webhooks: { default: false, check: bool } }),
  paths: { default: {}, check: paths },

  // start/choose-adapters.ts makes the default adapters.
  userStore: { default: undefined, check: userStore },
  sessionStore: { default: undefined, check: sessionStore },
  invitationStore: { default: undefined, check: seam<InvitationStore>(invitationStoreMethods) },
  activity: { default: undefined, check: seam<ActivityStore>(activityStoreMethods) },
  mailer: { default: undefined, check: adapter<Mailer>('send') },
  tokenSigner: { default: undefined, check: adapter<TokenSigner>('sign', 'verify') },
  passwordHasher: {
    default: undefined,
    check: adapter<PasswordHasher>('hash', 'canVerify', 'verify', 'needsRehash'),
  },

  roles: { default: undefined, check: rolesOption },
  authorize: { default: {}, check: functions<Authorize>(Object.keys(defaultAuthorize())) },
  before: { default: {}, check: beforeRules },
  signUp: group({ fields: { default: undefined, check: signUpFields } }),
  emails: { default: {}, check: templates },
  ownEmails: { default: {}, check: ownEmails },
  brand: group({
    name: { defaultFrom: ({ site }) => site.host, check: textLine(80) },
    logo: { default: null, check: pictureUrl },
    url: { default: null, check: link('a path such as /app, or an http(s) URL') },
    color: { default: '#1d4ed8', check: color },
    footer: { default: null, check: textLine(500) },
    about: { default: null, check: textLine(200) },
    links: group({
      privacy: { default: null, check: link('a path such as /privacy, or an http(s) URL') },
      terms: { default: null, check: link('a path such as /terms, or an http(s) URL') },
      imprint: { default: null, check: link('a path such as /imprint, or an http(s) URL') },
    }),
    icon: { default: null, check: link('a path such as /icon.svg, or an http(s) URL') },
    darkLogo: { default: null, check: pictureUrl },
    stylesheet: { default: null, check: link('a path such as /accounts.css, or an http(s) URL') },
    scheme: { default: 'auto', check: oneOf('light', 'dark', 'auto') },
    timeZone: { default: 'UTC', check: timeZone },
  }),
  languages: into(
    group({
      texts: { default: {}, check: texts },
      offered: { defaultFrom: ({ siblings }) => withTexts(siblings), check: offered },
    }),
    languagesOf,
  ),
  password: group({
    minLength: { default: 8, check: integer({ min: 8, max: 64 }) },
    maxLength: { default: 256, check: integer({ min: 64, max: 1024 }) },
    check: { default: undefined, check: passwordCheck },
    pepper: { default: [], check: peppers },
    concurrency: { defaultFrom: spareThreads, check: integer({ min: 1, max: 128 }) },
  }),
  session: group({
    cookieName: { default: 'session', check: pattern(/^[A-Za-z0-9_-]{1,64}$/) },
    absoluteTimeout: { default: 30 * day, check: milliseconds({ min: second }) },
    idleTimeout: withinSession(7 * day, second),
    confirmLifetime: withinSession(15 * minute, 1),
    ip: { default: 'truncated', check: oneOf('full', 'truncated', 'off') },
    newDeviceMail: { default: true, check: bool },
    clearSiteData: { default: false, check: bool },
  }),
  links: group({
    resetLifetime: { default: hour, check: lifetime },
    verifyLifetime: { default: day, check: lifetime },
    changeEmailLifetime: { default: day, check: lifetime },
    undoLifetime: { default: defaultUndoLifetime, check: lifetime },
    /** Absolute, with their placeholders. */
    pages: { default: {}, check: pages },
  }),
  throttle: orFalse(
    group({
      store: { default: undefined, check: seam<ThrottleStore>(throttleStoreMethods) },
      limits: { defaultFrom: ({ limits }) => limits, check: limits },
    }),
  ),
  trustedOrigins: { default: [], check: origins },
  constraints: { default: undefined, check: object<Constraints>() },
  adapterTimeout: { default: defaultAdapterTimeout, check: milliseconds({ min: 1, max: 10 * minute }) },
  on: { default: {}, check: subscribers },
  events: { default: false, check: bool },
  auditLog: { default: false, check: bool },
  decorateAs: group({
    instance: { default: 'accounts', check: decoratorName },
    request: { default: 'user', check: decoratorName },
  }),
})
