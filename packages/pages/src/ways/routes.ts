import type { PageRoute } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { apiKeysPage } from './api-keys.js'
import { removeAppPage, renameAppPage } from './apps.js'
import { devicesPage } from './devices.js'
import { loginsPage, removeLoginPage } from './logins.js'
import { createdApiKeyPage, newApiKeyPage } from './new-api-key.js'
import { passkeyFactorPage } from './passkey-factor.js'
import { passkeysPage, removePasskeyPage, renamePasskeyPage } from './passkeys.js'
import { recoveryCodesPage } from './recovery-codes.js'
import { firstCodePage, scanPage } from './set-up-app.js'
import { twoStepPage } from './two-step.js'

/** The pages of ways to log in, and of where somebody is. */
export function wayRoutes(site: Site): PageRoute[] {
  const { once } = site
  const hasDevices = site.core.keeper.list !== undefined
  const hasPasskeys = site.has('passkeys')
  return [
    ...(site.has('second-factor')
      ? [
          twoStepPage(site),
          scanPage(site),
          firstCodePage(site, once),
          renameAppPage(site),
          removeAppPage(site),
          recoveryCodesPage(site, once),
        ]
      : []),
    ...(hasPasskeys ? [passkeysPage(site), renamePasskeyPage(site), removePasskeyPage(site)] : []),
    ...(hasPasskeys && site.has('second-factor') ? [passkeyFactorPage(site, once)] : []),
    ...(hasDevices ? [devicesPage(site)] : []),
    ...(site.has('providers') ? [loginsPage(site), removeLoginPage(site)] : []),
    ...(site.has('api-keys')
      ? [apiKeysPage(site), newApiKeyPage(site, once), createdApiKeyPage(site, once)]
      : []),
  ]
}
