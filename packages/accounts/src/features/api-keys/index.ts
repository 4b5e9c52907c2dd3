import type { AccountsFeature } from '../../options/options.js'
import { hour } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { apiKeyHost } from './host.js'
import { exportedKeys } from './keys/key-json.js'
import { ownKeyRoutes } from './routes.js'
import { serviceRoutes } from './service-routes.js'
import { type ApiKeysOptions, resolveRules } from './settings.js'
import { de, en, fr } from './texts.js'

export type { ApiKeysOptions } from './settings.js'

/**
 * API keys: programs call the app's own routes for an account, as far as the scopes of their key go. For the option
 * `features`; the routes are those with the hook `app.accounts.requireScope`.
 */
export function apiKeys<const Scope extends string>(options: ApiKeysOptions<Scope>): AccountsFeature {
  const feature: Feature = {
    name: 'api-keys',
    texts: { en, de, fr },
    limits: { changeApiKeys: { max: 20, window: hour } },
    mails: {
      'api-key-added': { link: 'not-me', notice: 'digest' },
      'api-key-removed': { link: 'not-me', notice: 'digest' },
    },
    needs: ['findByIdentity'],
    get enables() {
      return { apiKeys: resolveRules(options) }
    },
    host(core) {
      const rules = resolveRules(options)
      return apiKeyHost(core, () => rules)
    },
    export: (user) => exportedKeys(user),
    // Milliseconds.
    pageFacts: () => ({ lifetime: resolveRules(options).lifetime }),
    async imports() {
      const { apiKeyReader } = await import('./keys/import.js')
      return { apiKeys: apiKeyReader(resolveRules(options)) }
    },
    routes(core) {
      const rules = resolveRules(options)
      return { auth: ownKeyRoutes(rules), users: serviceRoutes(core, rules) }
    },
  }
  return feature
}
