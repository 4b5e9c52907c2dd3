import type { FactorCore, Feature } from 'fastify-accounts/features'
import { deriveKeys, factorHost } from 'fastify-accounts/features'
import { passkeyBeginning } from './beginning.js'
import { createChallenges } from './challenge.js'
import type { PasskeyDeps } from './deps.js'
import { passkeyFactor } from './factor.js'
import './names.js'
import './operations.js'
import { listedPasskey, passkeysOf } from './passkey.js'
import { passkeyRoutes } from './routes.js'
import { type PasskeysOptions, resolveSettings } from './settings.js'
import { de, en, fr } from './texts.js'

export type { PasskeysOptions } from './settings.js'

const minute = 60_000

/**
 * Passkeys: a feature of fastify-accounts, for its option `features`. People log in with them without saying who they
 * are, add and remove them, and sign up without a password.
 * @throws Error at the start with one line that names the option
 */
export function passkeys(options: PasskeysOptions = {}): Feature {
  return {
    name: 'passkeys',
    texts: { en, de, fr },
    errors: { ACCOUNTS_INVALID_PASSKEY: 400 },
    cookies: ['passkey'],
    limits: {
      changePasskeys: { max: 20, window: 60 * minute },
      passkeyOptions: { max: 60, window: minute },
      loginPasskey: { max: 30, window: minute },
    },
    mails: {
      'passkey-added': { link: 'not-me', notice: 'digest' },
      'passkey-removed': { link: 'not-me', notice: 'digest' },
    },
    needs: ['findByIdentity'],
    enables: { confirmationCode: true },
    hasWayIn: (user) => passkeysOf(user).some(({ use }) => use === 'login'),
    async imports() {
      const { passkeyReader } = await import('./import.js')
      return { passkeys: passkeyReader }
    },
    check({ origin }) {
      resolveSettings(options, origin)
    },
    export: (user) => passkeysOf(user).map((each) => ({ ...listedPasskey(each) })),
    // The second factor has the same.
    host: (core) => (core.features.has('second-factor') ? {} : factorHost('passkey-removed')),
    factors: (core) => [passkeyFactor(depsOf(core, options))],
    beginnings: (core) => [passkeyBeginning(depsOf(core, options))],
    routes(core) {
      const deps = depsOf(core, options)
      const { settings } = deps
      return {
        ...passkeyRoutes(deps),
        wellKnown: {
          'passkey-endpoints': settings.endpoints,
          ...(settings.relatedOrigins.length > 0 && { webauthn: { origins: settings.relatedOrigins } }),
        },
      }
    },
  }
}

function depsOf(core: FactorCore, options: PasskeysOptions): PasskeyDeps {
  const { secret, session, origin } = core.options
  if (core.keeper.spendOnce === undefined)
    throw new Error(
      '@fastify-accounts/passkeys: used challenges need the sessionStore, which the app’s own @fastify/session replaces',
    )
  return {
    ...core,
    settings: resolveSettings(options, origin),
    challenges: createChallenges(deriveKeys(secret, `passkey-challenge:${session.cookieName}`)),
    browser: core.cookie('passkey'),
    spend: core.keeper.spendOnce,
  }
}
