import type { LinkRouteName, RouteName } from '../feature-names.js'
import { type Outbox, outboxMethods } from '../seams/outbox.js'
import type { PasswordCheck } from '../seams/password-check.js'
import { type SessionStore, sessionStoreMethods, withUsersMethods } from '../seams/session-store.js'
import { type ListAbility, type UserStore, userStoreMethods } from '../seams/user-store.js'
import { appSchemeNames, isAppOrigin, isWebOrigin, shownUrl, webUrl } from '../web-url.js'
import {
  absolute,
  adapter,
  type Check,
  checkKeys,
  fail,
  integer,
  milliseconds,
  type Some,
  seam,
  shown,
  someOf,
  withoutUnset,
} from './checks.js'
import type { Limit, Limits } from './limits.js'
import type { AccountsFeature } from './options.js'
import { second } from './time.js'

/** The checks of single options with special rules. */

export const passwordCheck: Check<PasswordCheck> = (value, option) => {
  if (typeof value !== 'function')
    fail(option, `must be a function, such as pwnedPasswords(), got ${shown(value)}`)
  return value
}

export const secrets: Check<string | readonly string[] | undefined, readonly string[]> = (
  secret,
  option,
  context,
) => {
  if (secret === undefined) fail(option, 'is missing: `npx fastify-accounts secret` prints one')
  return peppers(secret, option, context)
}

export const peppers: Check<string | readonly string[], readonly string[]> = (secret, option) => {
  const all: unknown[] = Array.isArray(secret) ? [...secret] : [secret]
  if (all.length === 0) fail(option, 'must hold at least one secret')
  for (const each of all) {
    if (typeof each !== 'string' || Buffer.byteLength(each) < 32)
      fail(option, 'must be at least 32 bytes long; if there are several, each of them')
    if (new Set(each).size < 8) fail(option, 'must not be guessable: take 32 random bytes')
  }
  if (new Set(all).size < all.length) fail(option, 'must not list the same secret twice')
  return all as string[]
}

/** Without a trailing slash. */
export const siteUrl: Check<string> = (value, option) => parseSite(value, option).href.replace(/\/+$/, '')

export function parseSite(value: unknown, option: string): URL {
  const url = webUrl(value)
  if (url === null || url.search || url.hash) {
    fail(
      option,
      `must be the http(s) URL at which users reach the service, such as https://example.org, without a query, a fragment or credentials, got ${shownUrl(value)}`,
    )
  }
  return url
}

/** Emails are read elsewhere, where a path leads nowhere, and most clients don't show `data:` URLs. */
export const pictureUrl: Check<string> = (value, option) => {
  const url = webUrl(value)
  if (url === null) {
    fail(
      option,
      `must be the http(s) URL of a picture, such as https://example.org/logo.png, got ${shownUrl(value)}`,
    )
  }
  return url.href
}

export const color: Check<string> = (value, option) => {
  if (typeof value !== 'string' || !/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value))
    fail(option, 'must be a hex color such as #1d4ed8')
  const [, digits = ''] = value.toLowerCase().split('#')
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}

export const origins: Check<readonly string[]> = (list, option) => {
  if (!Array.isArray(list)) fail(option, 'must be a list of origins')
  for (const origin of list) {
    if (!isWebOrigin(origin) && !isAppOrigin(origin))
      fail(
        option,
        `must list origins such as https://app.example.org, without wildcards and with nothing after host and port, or those of apps and browser extensions (${appSchemeNames}), got ${shownUrl(origin)}`,
      )
  }
  return [...list]
}

export const limits: Check<Some<Limits>, Readonly<Limits>> = (value, option, context) => {
  const set = withoutUnset(checkKeys(option, value, Object.keys(context.limits))) as Partial<Limits>
  for (const [name, limit] of Object.entries<Limit>(set)) {
    const full = `${option}.${name}`
    checkKeys(full, limit, ['max', 'window'])
    integer({ min: 1 })(limit.max, `${full}.max`, context)
    milliseconds({ min: second })(limit.window, `${full}.window`, context)
  }
  return { ...context.limits, ...set }
}

const listAbilities = someOf<ListAbility>('createdAt', 'usernameKey', 'flags', 'prefix', 'search')

/** Only checks the list; features/compose.ts checks each feature. */
export function checkFeatureList(
  features: readonly AccountsFeature[],
  option: string,
): readonly AccountsFeature[] {
  if (!Array.isArray(features)) fail(option, 'must be a list of features, such as [passkeys()]')
  for (const each of features as readonly Partial<AccountsFeature>[]) {
    if (typeof each !== 'object' || each === null || typeof each.name !== 'string')
      fail(option, 'must contain features, which are objects with a name; did you forget to call a function?')
    if (!/^[a-z][a-z0-9-]*$/.test(each.name))
      fail(option, `must contain features named with lowercase letters, digits and -, got ${each.name}`)
  }
  return features
}

const outbox = seam<Outbox>(outboxMethods)
const withUsers = seam<NonNullable<SessionStore['withUsers']>>(withUsersMethods)
const requiredOfUsers = seam<UserStore>(userStoreMethods)
const requiredOfSessions = seam<SessionStore>(sessionStoreMethods)

export const userStore: Check<UserStore> = (store, option, context) => {
  requiredOfUsers(store, option, context)
  if (store.list !== undefined) adapter<UserStore>('list')(store, option, context)
  const { listsBy = [] } = store
  if (!Array.isArray(listsBy) || listsBy.length > 0) listAbilities(listsBy, `${option}.listsBy`, context)
  if (store.outbox !== undefined) outbox(store.outbox, `${option}.outbox`, context)
  return store
}

export const sessionStore: Check<SessionStore> = (store, option, context) => {
  const { create, destroy }: { create?: unknown; destroy?: unknown } = store ?? {}
  if (typeof destroy === 'function' && typeof create !== 'function') {
    fail(
      option,
      'is a store for express-session, which cannot look up sessions by user: register @fastify/session with it before fastify-accounts and omit this option; users then cannot list or end individual sessions',
    )
  }
  requiredOfSessions(store, option, context)
  if (store.withUsers !== undefined) withUsers(store.withUsers, `${option}.withUsers`, context)
  return store
}

/** Values by route name; the routes check the names once they are mounted. */
type ByRoute = Readonly<Record<string, string>>

/** Paths of this site, with parameters such as `{uid64}` as whole segments. */
export const paths: Check<Some<Readonly<Record<RouteName, string>>>, ByRoute> = (value, option) => {
  const pathsByRoute = withoutUnset(value) as ByRoute
  for (const [name, path] of Object.entries(checkKeys(option, pathsByRoute, Object.keys(pathsByRoute)))) {
    // Browsers remove dot segments from a path.
    if (typeof path !== 'string' || !/^(\/(?!\.\.?(\/|$))([\w.~-]+|\{\w+\}))+\/?$/.test(path)) {
      fail(
        `${option}.${name}`,
        `must be a path such as /session/, of letters, digits and . _ ~ -, with parameters such as {uid64} as segments of their own, got ${shown(path)}`,
      )
    }
  }
  return { ...pathsByRoute }
}

/** Placeholders only after the origin. */
const page = /^https?:\/\/[^/?#{}]+[/?#](\{\w+\}|[!-z|~])*$/

/** Paths of this site or URLs, with placeholders. Returned as absolute URLs. */
export const pages: Check<Some<Readonly<Record<LinkRouteName, string>>>, ByRoute> = (
  value,
  option,
  { site },
) => {
  const pagesByRoute = withoutUnset(value) as ByRoute
  const all = Object.entries(checkKeys(option, pagesByRoute, Object.keys(pagesByRoute))).map(
    ([name, value]) => {
      const url = absolute(value, site)
      if (typeof url !== 'string' || !page.test(url) || webUrl(url) === null) {
        fail(
          `${option}.${name}`,
          `must be a path or an http(s) URL such as https://app.example.org/reset/{uid64}/{token}, got ${shownUrl(value)}`,
        )
      }
      return [name, url] as const
    },
  )
  return Object.fromEntries(all)
}
