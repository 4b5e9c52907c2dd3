import { AccountsError, type FieldError, fieldError, invalidInput } from '../../../errors.js'
import { type ApiKey, type ApiKeyRules, apiKeyKind, apiKeysOf, keyIdentity } from '../../../tokens/api-key.js'
import type { StoredUser, UserChanges } from '../../../user.js'
import { isPlainText } from '../../../validation.js'
import { longestLife, longestName, longestResource, shortestLife } from '../settings.js'
import { digest, keyText, newKeyParts } from './key-text.js'

/** What `app.accounts.createApiKey` takes. */
export interface HostApiKeyInput<Scope extends string = string> {
  name: string
  scopes: readonly Scope[]
  /** Milliseconds. Default: the option `lifetime`. */
  lifetime?: number | undefined
  /**
   * What the key is for alone, such as the id of an organization: at most 255 characters. `app.accounts.keyOf` shows it, and hooks that
   * know it refuse the key elsewhere; `requireScope` doesn't. Default: everything.
   */
  resource?: string | undefined
}

/** A key that nobody has stored yet, and its text, which is shown once. */
export interface NewApiKey {
  key: ApiKey
  text: string
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
export function newApiKey(
  rules: Pick<ApiKeyRules, 'scopes' | 'lifetime'>,
  realm: string,
  input: HostApiKeyInput,
): NewApiKey {
  const { name, lifetime = rules.lifetime } = input
  const faults = faultsOf(rules, input)
  if (faults.length > 0) throw invalidInput(...faults)
  const parts = newKeyParts()
  const now = Date.now()
  return {
    text: keyText(parts),
    key: {
      kind: apiKeyKind,
      id: parts.id,
      hash: digest(parts.secret),
      name: name.trim(),
      scopes: [...new Set(input.scopes)],
      resource: input.resource ?? null,
      realm,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + lifetime).toISOString(),
      lastUsedOn: null,
    },
  }
}

/** Scripts also call this, and not all of them are typed. */
function faultsOf(
  { scopes: validScopes }: Pick<ApiKeyRules, 'scopes'>,
  input: HostApiKeyInput,
): FieldError[] {
  const { name, scopes, lifetime, resource } = input
  const faults: FieldError[] = []
  const isName = typeof name === 'string' && isPlainText(name) && [...name].length <= longestName
  if (!isName) faults.push(fieldError('name', name === undefined ? 'required' : 'invalid'))
  else if (name.trim() === '') faults.push(fieldError('name', 'required'))
  const areKnown = Array.isArray(scopes) && scopes.length > 0 && scopes.every((each) => validScopes.has(each))
  if (!areKnown) faults.push(fieldError('scopes', scopes === undefined ? 'required' : 'invalid'))
  const lasts = (span: number) => Number.isSafeInteger(span) && span >= shortestLife && span <= longestLife
  if (lifetime !== undefined && !lasts(lifetime)) faults.push(fieldError('expires_in', 'invalid'))
  const isResource =
    typeof resource === 'string' &&
    resource !== '' &&
    isPlainText(resource) &&
    resource.length <= longestResource
  if (resource !== undefined && !isResource) faults.push(fieldError('resource', 'invalid'))
  return faults
}

/** @throws AccountsError ACCOUNTS_CONFLICT if the account has as many as it may */
export function withApiKey(
  current: StoredUser,
  key: ApiKey,
  { max }: Pick<ApiKeyRules, 'max'>,
): Pick<UserChanges, 'credentials' | 'identityKeys'> {
  if (apiKeysOf(current).length >= max)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
  return {
    credentials: [...current.credentials, key],
    identityKeys: [...current.identityKeys, keyIdentity(key.id)],
  }
}
