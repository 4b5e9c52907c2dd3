import { InvalidArgumentError } from '../../../seams/store-errors.js'
import {
  type ApiKey,
  type ApiKeyRules,
  apiKeyKind,
  type ForeignKeys,
  keyIdentity,
} from '../../../tokens/api-key.js'
import type { ImportReader } from '../../feature.js'
import { longestLife, longestName } from '../settings.js'
import { digest } from './key-text.js'

/**
 * API keys of other systems, for `npx fastify-accounts import`: rows of better-auth's table `apikey`, which has their
 * hash, and of `authtoken_token` of Django REST framework, which has them in plain text and is only hashed here. One
 * without an expiry gets the longest there is, because nobody may remember it.
 */
export function apiKeyReader(rules: ApiKeyRules): ImportReader {
  return (values, since) => {
    const keys = values.map((value) => readKey(value, rules, since)).filter((key) => key !== null)
    const byId = new Map(keys.map((key) => [key.id, key]))
    if (byId.size > rules.max)
      throw new InvalidArgumentError(`has ${byId.size} keys; at most ${rules.max} are allowed`)
    return { credentials: [...byId.values()], identityKeys: [...byId.keys()].map(keyIdentity) }
  }
}

/** `null` for a key that no longer works. */
function readKey(value: unknown, rules: ApiKeyRules, since: string): ApiKey | null {
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError('is not a row of a key')
  const row = value as Record<string, unknown>
  const { id, from } = hashed(row.key)
  if (!rules.imported.includes(from))
    throw new InvalidArgumentError(`is a key of ${from}: add it to apiKeys({ imported }) in your options`)
  const now = Date.now()
  const expiresAt = timeOf(row.expiresAt ?? row.expires_at) ?? now + longestLife
  if (['false', '0', 'f'].includes(String(row.enabled)) || expiresAt <= now) return null
  const { name } = row
  return {
    kind: apiKeyKind,
    id,
    hash: null,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, longestName) : 'Imported key',
    scopes: scopesOf(row, rules),
    resource: null,
    realm: null,
    createdAt: isoOf(timeOf(row.createdAt ?? row.created_at ?? row.created)) ?? since,
    expiresAt: new Date(Math.min(expiresAt, now + longestLife)).toISOString(),
    lastUsedOn: isoOf(timeOf(row.lastRequest ?? row.last_request))?.slice(0, 10) ?? null,
  }
}

/** The digest of the whole key, and whose it is. */
function hashed(key: unknown): { id: string; from: ForeignKeys } {
  if (typeof key === 'string' && /^[\w-]{43}$/.test(key)) return { id: key, from: 'better-auth' }
  if (typeof key === 'string' && /^[0-9a-f]{40}$/.test(key)) return { id: digest(key), from: 'authtoken' }
  throw new InvalidArgumentError('is neither a hash of better-auth nor a token of Django REST framework')
}

/** What the row says, or the permissions of better-auth: `{ orders: ['read'] }` is `orders:read`. */
function scopesOf(
  { scopes, permissions }: Record<string, unknown>,
  { scopes: validScopes }: Pick<ApiKeyRules, 'scopes'>,
): string[] {
  const scopeList = typeof scopes === 'string' ? scopes.split(/[\s,]+/) : (scopes ?? permitted(permissions))
  const named = Array.isArray(scopeList) ? [...new Set(scopeList.filter((each) => each !== ''))] : []
  if (named.length === 0) throw new InvalidArgumentError('lacks scopes')
  for (const each of named)
    if (!validScopes.has(each as string))
      throw new InvalidArgumentError(`has the unknown scope ${JSON.stringify(each)}`)
  return named as string[]
}

function permitted(permissions: unknown): string[] {
  const grants = typeof permissions === 'string' ? parsed(permissions) : permissions
  if (typeof grants !== 'object' || grants === null) return []
  return Object.entries(grants).flatMap(([name, actions]) =>
    Array.isArray(actions) ? actions.map((action) => `${name}:${action}`) : [],
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('has permissions that are not JSON')
  }
}

/** Milliseconds since 1970, of RFC 3339, what PostgreSQL writes, or a number of milliseconds; `null` if there is none. */
function timeOf(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null
  const isZoneless = typeof value === 'string' && !/(Z|[+-]\d\d(:?\d\d)?)$/.test(value)
  const time = typeof value === 'number' ? value : Date.parse(isZoneless ? `${value}Z` : String(value))
  if (Number.isNaN(time)) throw new InvalidArgumentError(`has an unreadable time: ${JSON.stringify(value)}`)
  return time
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
