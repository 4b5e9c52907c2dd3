import { AccountsError, attributed, fieldError, invalidInput } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import { type ApiKey, type ApiKeyRules, apiKeysOf } from '../../tokens/api-key.js'
import { createListCursor, readPage } from '../../tokens/list-cursor.js'
import type { User } from '../../user.js'
import { findAccount, isFound, listOf } from '../../users/host-accounts.js'
import { isPlainText } from '../../validation.js'
import { type FeatureHost, hostCall } from '../host.js'
import { createApiKey } from './create-api-key.js'
import { createService } from './create-service.js'
import { admitKey } from './keys/admit-key.js'
import { listServices } from './list-services.js'
import { removeApiKey } from './remove-api-key.js'

/** An API key as your app's own code sees it. */
export interface HostApiKey<Scope extends string = string> {
  id: string
  name: string
  scopes: readonly Scope[]
  /** What it is for alone; `null` for everything. */
  resource: string | null
  createdAt: Date
  expiresAt: Date
  /** The day in UTC, as in `2026-11-26`; `null` if it was never used. */
  lastUsedOn: string | null
}

/** A new one, with the key itself: it is stored nowhere. */
export interface CreatedApiKey<Scope extends string = string> extends HostApiKey<Scope> {
  key: string
}

/** A service account as your app's own code sees it. */
export interface HostService {
  id: string
  username: string
  isActive: boolean
  createdAt: Date
}

/** @param rulesOf throws without the feature */
export function apiKeyHost(core: MountCore, rulesOf: () => ApiKeyRules): FeatureHost {
  return {
    programs: {
      checkScope(scope) {
        const { scopes } = rulesOf()
        if (!scopes.has(scope))
          throw new Error(
            `fastify-accounts: requireScope must name one of apiKeys.scopes: ${[...scopes.keys()].join(', ')}; got ${String(scope)}`,
          )
      },
      admit: (scope, client) => admitKey(core, rulesOf(), scope, client),
    },
    calls: {
      createService: hostCall(
        'create-service',
        [null],
        (core) =>
          async ({ username }) => {
            rulesOf()
            if (typeof username !== 'string' || !isPlainText(username))
              throw invalidInput(fieldError('username', 'invalid'))
            return hostService(await createService(core, 'host', username))
          },
        ({ id }) => id,
      ),
      listServices: hostCall('list-services', [null], (core) => async ({ cursor } = {}) => {
        rulesOf()
        const list = listOf(core)
        const positions = createListCursor(core.options.secret)
        const { services, next } = await readPage(positions, 'host services', cursor, (after) =>
          listServices({ ...core, list }, 'host', after),
        )
        return { services: services.map(hostService), next }
      }),
      createApiKey: hostCall('create-api-key', ['userId', null], (core) => async (userId, input) => {
        const rules = rulesOf()
        const user = await findAccount(core, userId)
        if (user === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
        const { key, text } = await attributed(user, () => createApiKey(core, rules, user, input))
        return { key: text, ...hostView(key) }
      }),
      listApiKeys: hostCall('list-api-keys', ['userId'], (core) => async (userId) => {
        rulesOf()
        const user = await findAccount(core, userId)
        return user && apiKeysOf(user).map(hostView)
      }),
      removeApiKey: hostCall('remove-api-key', ['userId', 'keyId'], (core) => async (userId, keyId) => {
        rulesOf()
        const user = await findAccount(core, userId)
        return user !== null && isFound(() => attributed(user, () => removeApiKey(core, user, keyId)))
      }),
    },
  }
}

function hostView(key: ApiKey): HostApiKey {
  const { id, name, scopes, resource = null, createdAt, expiresAt, lastUsedOn } = key
  return {
    ...{ id, name, scopes, resource },
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    lastUsedOn,
  }
}

function hostService({ id, username, isActive, createdAt }: User): HostService {
  return { id, username: username ?? '', isActive, createdAt }
}
