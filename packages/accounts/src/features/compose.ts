import type { Deps } from '../deps.js'
import { coreMails, type MailTable } from '../emails/mail-facts.js'
import { addErrors, addReasons, type ReasonTexts } from '../errors.js'
import { type Catalogue, isText } from '../languages/catalogue.js'
import { sharedTexts } from '../languages/languages.js'
import type { MustHaveFactor } from '../logins/enrollment.js'
import type { FeatureNames } from '../options/checks.js'
import { fail } from '../options/checks.js'
import { coreLimits, type Limits } from '../options/limits.js'
import type { AccountsFeature } from '../options/options.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { checkFeatureList } from '../options/special-checks.js'
import { coreCookies } from '../sessions/named-cookie.js'
import type { Purpose } from '../tokens/email-link.js'
import { accountUser, holdsPassword } from '../user.js'
import type { CoreParts, Feature, FeatureCore, LinkFacts, OptionalMethod } from './feature.js'

/** Everything that the features of one mount provide, including the core's own. */
export interface Composition {
  features: readonly Feature[]
  /** What options can name. */
  names: FeatureNames
  links: Readonly<Record<Purpose, LinkFacts>>
  mails: MailTable
  /** What they turn on in the core. */
  enabled: Partial<CoreParts>
}

/**
 * Composes what features provide.
 * @param shipped those of every mount
 * @param appFeatures the option `features`
 * @param tags the languages of the option `languages.texts`
 * @throws Error with one line that names the option
 */
export function composeFeatures(
  shipped: readonly Feature[],
  appFeatures: readonly AccountsFeature[] = [],
  tags: readonly string[] = [],
): Composition {
  checkFeatureList(appFeatures, 'features')
  const features: readonly Feature[] = [...shipped, ...appFeatures]
  const limits: Record<string, unknown> = { ...coreLimits }
  const mails: Record<string, unknown> = { ...coreMails }
  const links: Record<string, unknown> = {}
  const catalogue: Record<string, object> = { ...sharedTexts }
  const names = new Set<string>()
  const cookies = new Set(coreCookies)
  for (const feature of features) {
    if (names.has(feature.name)) fail('features', `has ${feature.name} twice`)
    names.add(feature.name)
    addCookies(cookies, feature)
    add(limits, feature.limits, `the limit`, feature)
    add(mails, feature.mails, 'the kind of mail', feature)
    add(links, feature.links, 'the kind of link', feature)
    for (const [tag, texts] of Object.entries(textsOf(feature, tags))) {
      catalogue[tag] = addTexts(catalogue[tag] ?? {}, texts, '', feature)
    }
  }
  for (const feature of features) {
    if (feature.invitationTarget !== undefined && !names.has('invitations'))
      fail('features', `has ${feature.name}, whose invitations need invitations()`)
    registerNames(feature, catalogue, { links, limits })
  }
  return {
    features,
    // The names are only known now; their type comes from each feature's declaration.
    names: {
      catalogue,
      complete: features.slice(shipped.length).some(({ texts }) => texts) ? [] : Object.keys(sharedTexts),
      limits: limits as unknown as Limits,
      mailKinds: Object.keys(mails),
    },
    links: links as Record<Purpose, LinkFacts>,
    mails: mails as MailTable,
    enabled: Object.assign({}, ...features.map(({ enables }) => enables)),
  }
}

/** The texts of a feature, in the app's languages too if it has spare ones. */
function textsOf({ texts, hasSpareTexts = false }: Feature, tags: readonly string[]): Catalogue {
  const spare = hasSpareTexts ? tags.map((tag): [string, object] => [tag, texts?.en ?? {}]) : []
  return { ...Object.fromEntries(spare), ...texts }
}

/**
 * Has each feature check the options, and checks that the user store has the methods it needs.
 * @throws Error with one line that names the option
 */
export function checkFeatures(
  features: readonly Feature[],
  options: ResolvedOptions,
  users: Pick<Deps['users'], OptionalMethod>,
): void {
  for (const { name, needs = [], check } of features) {
    for (const method of needs) {
      if (users[method] === undefined)
        fail('userStore', `lacks the method ${method}, which the feature ${name} needs`)
    }
    check?.(options)
  }
}

/** Whether any feature says that a user must have a second factor. */
export function composeMustHaveFactor(
  rules: readonly NonNullable<Feature['mustHaveFactor']>[],
): MustHaveFactor {
  if (rules.length === 0) return undefined
  return async (user) => {
    const shownUser = accountUser(user)
    for (const rule of rules) if (await rule(shownUser)) return true
    return false
  }
}

/** Whether a user can log in: with a password, or with what any feature provides. */
export function composeHasWayIn(features: readonly Feature[], options: ResolvedOptions): Deps['hasWayIn'] {
  return (user) => holdsPassword(user) || features.some(({ hasWayIn }) => hasWayIn?.(user, options))
}

/** @throws Error with one line that names the option */
export function add(
  all: Record<string, unknown>,
  own: Readonly<Record<string, unknown>> | undefined,
  what: string,
  { name }: Feature,
): void {
  for (const [key, value] of Object.entries(own ?? {})) {
    if (Object.hasOwn(all, key))
      fail('features', `has ${name}, which brings ${what} ${key}, and so does another`)
    all[key] = value
  }
}

/** A cookie belongs to one feature, with all names that begin with its own. */
function addCookies(all: Set<string>, { name, cookies = [] }: Feature): void {
  for (const cookie of cookies) {
    if (!/^[a-z][a-z0-9-]*$/.test(cookie))
      fail('features', `has ${name}, whose cookie must be lowercase letters, digits and -, got ${cookie}`)
    if ([...all].some((other) => includesCookie(other, cookie) || includesCookie(cookie, other)))
      fail('features', `has ${name}, which brings the cookie ${cookie}, and so does another`)
    all.add(cookie)
  }
}

/** Whether a name is that of a declared cookie, or begins with it. */
const includesCookie = (declared: string, name: string): boolean =>
  name === declared || name.startsWith(`${declared}-`)

/**
 * The cookies that a feature has declared, made by `make`.
 * @throws Error with one line that names the option, for any other
 */
export function cookiesOf(
  { name, cookies = [] }: Feature,
  make: FeatureCore['cookie'],
): FeatureCore['cookie'] {
  return (cookie) => {
    if (cookies.some((declared) => includesCookie(declared, cookie))) return make(cookie)
    return fail('features', `has ${name}, which uses the cookie ${cookie} without listing it in its cookies`)
  }
}

/** Each text is defined once; apps replace it with `languages.texts`. */
function addTexts(all: object, own: object, path: string, feature: Feature): object {
  const record = all as Record<string, object | undefined>
  const added = Object.entries(own).map(([key, value]): [string, object] => {
    const at = `${path}${key}`
    const before = record[key]
    if (before === undefined) return [key, value]
    if (isText(before) || isText(value) || Array.isArray(before))
      fail('features', `has ${feature.name}, which brings the text ${at}, and so does another`)
    return [key, addTexts(before, value, `${at}.`, feature)]
  })
  return { ...all, ...Object.fromEntries(added) }
}

/**
 * Registers the errors and reasons of a feature, and checks that what it names exists: texts of its emails and errors,
 * links and limits of its emails, codes of its reasons.
 */
function registerNames(
  { name, errors = {}, mails = {}, texts }: Feature,
  catalogue: Catalogue,
  { links, limits }: Readonly<Record<'links' | 'limits', Readonly<Record<string, unknown>>>>,
): void {
  const { emails, errors: messages } = catalogue.en as Record<'emails' | 'errors', Record<string, string>>
  const lacks = (what: string): never => fail('features', `has ${name}, which lacks ${what}`)
  for (const [kind, { link, release, budget }] of Object.entries(mails)) {
    if (!Object.hasOwn(emails, kind)) lacks(`the English text emails.${kind}`)
    for (const each of [link, release]) {
      if (each !== undefined && !Object.hasOwn(links, each)) lacks(`the kind of link ${each}`)
    }
    if (budget !== undefined && !Object.hasOwn(limits, budget))
      lacks(`the limit ${budget} of its email ${kind}`)
  }
  const table = Object.entries(errors as Record<string, number>).map(
    ([code, status]): [string, [number, string]] => {
      if (!(Number.isInteger(status) && status >= 400 && status <= 599))
        fail('features', `has ${name}, whose error ${code} must have a status from 400 to 599`)
      return [code, [status, messages[code] ?? lacks(`the English text errors.${code}`)]]
    },
  )
  try {
    addErrors(Object.fromEntries(table))
  } catch (error) {
    fail('features', `has ${name}: ${(error as Error).message}`)
  }
  const { reasons = {} } = (texts?.en ?? {}) as { reasons?: ReasonTexts }
  for (const [code, own] of Object.entries(reasons)) {
    if (messages[code] === undefined)
      fail('features', `has ${name}, whose reasons name the unknown error ${code}`)
    for (const reason of Object.keys(own)) {
      if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(reason))
        fail('features', `has ${name}, whose reason of ${code} must be in snake_case, got ${reason}`)
    }
  }
  addReasons(reasons)
}
