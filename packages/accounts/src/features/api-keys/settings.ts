import { fail } from '../../options/checks.js'
import { day, minute } from '../../options/time.js'
import { type ApiKeyRules, type ForeignKeys, foreignKeys } from '../../tokens/api-key.js'

/** Options of `apiKeys()`. */
export interface ApiKeysOptions<Scope extends string = string> {
  /**
   * What a key can be allowed to do: names such as `orders:read`, as a list or with a description each that people read
   * when they create a key. At most 100.
   */
  scopes: readonly Scope[] | { readonly [Name in Scope]: string }
  /** How long a key works unless its creator says otherwise, in milliseconds: a minute to 365 days. Default 90 days. */
  lifetime?: number | undefined
  /** The most keys an account may have, expired ones included. 1 to 100. Default 25. */
  max?: number | undefined
  /**
   * Whose imported keys work as well: `'better-auth'`, in `X-API-Key` or as a bearer token, and `'authtoken'` of Django
   * REST framework, in `Authorization: Token`. Each such value that isn't a key of ours then costs a look-up. Default: none.
   */
  imported?: readonly ForeignKeys[] | undefined
}

/** The longest that a key can work, in milliseconds. */
export const longestLife = 365 * day
export const shortestLife = minute
/** Of the name of a key, in characters. */
export const longestName = 100
/** Of what a key is for, in characters. */
export const longestResource = 255
/** As an OAuth scope, without what has a meaning in a header or a path. */
const scopeForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/
export const mostScopes = 100

/** @throws Error with one line that names the option */
export function resolveRules(options: ApiKeysOptions): ApiKeyRules {
  const { scopes, lifetime = 90 * day, max = 25, imported = [], ...unknown } = options ?? {}
  const [name] = Object.keys(unknown)
  if (name !== undefined) fail(`apiKeys.${name}`, 'is not an option')
  if (!Number.isSafeInteger(lifetime) || lifetime < shortestLife || lifetime > longestLife)
    fail('apiKeys.lifetime', `must be milliseconds, from a minute to 365 days, got ${String(lifetime)}`)
  if (!Number.isSafeInteger(max) || max < 1 || max > 100)
    fail('apiKeys.max', `must be a number from 1 to 100, got ${String(max)}`)
  const isKnown = (each: unknown): each is ForeignKeys => foreignKeys.includes(each as ForeignKeys)
  if (!Array.isArray(imported) || !imported.every(isKnown))
    fail(
      'apiKeys.imported',
      `must be a list of ${foreignKeys.join(' and ')}, got ${JSON.stringify(imported)}`,
    )
  return { scopes: resolveScopes(scopes), lifetime, max, imported }
}

function resolveScopes(list: unknown): ApiKeyRules['scopes'] {
  const isObject = typeof list === 'object' && list !== null
  const entries: (readonly [unknown, unknown])[] = Array.isArray(list)
    ? list.map((name) => [name, null])
    : isObject
      ? Object.entries(list)
      : []
  if (entries.length === 0 || entries.length > mostScopes)
    fail('apiKeys.scopes', `must name 1 to ${mostScopes} scopes, such as ['orders:read']`)
  const scopes = new Map<string, string | null>()
  for (const [name, description] of entries) {
    if (typeof name !== 'string' || !scopeForm.test(name))
      fail('apiKeys.scopes', `must be letters, digits and . _ : -, at most 64, got ${JSON.stringify(name)}`)
    if (scopes.has(name)) fail('apiKeys.scopes', `has ${name} twice`)
    if (description !== null && (typeof description !== 'string' || description === ''))
      fail('apiKeys.scopes', `must describe ${name} in a text, got ${JSON.stringify(description)}`)
    scopes.set(name, description)
  }
  return scopes
}
