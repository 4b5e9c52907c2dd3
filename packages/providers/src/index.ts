import type { Roles } from 'fastify-accounts'
import type { Feature } from 'fastify-accounts/features'
import { deriveKeys, identityHost } from 'fastify-accounts/features'
import { createAppCodes } from './app-code.js'
import { providerBeginning } from './beginning.js'
import type { Services } from './deps.js'
import { createFlows } from './flow.js'
import { createHostIdentities } from './host-identities.js'
import { exportedIdentities, keysOf, providerOf } from './identity.js'
import { inspectProviders } from './inspect.js'
import { createIssuer } from './issuer.js'
import './names.js'
import './operations.js'
import { createPendingIdentities } from './pending-identity.js'
import type { Provider, ProvidersOptions, ProviderTokens } from './provider.js'
import { checkOptions, checkOrigins } from './redirect-uris.js'
import { providerRoutes } from './routes.js'
import { checkFields, checkProviders, fail } from './settings.js'
import { de, en, fr } from './texts.js'
import { createTokensOf } from './tokens-of.js'
import { watchedIssuer } from './watched-issuer.js'
import { mayBeTaken } from './who.js'
import { withDeadlines } from './with-deadlines.js'

export { type AppleOptions, apple } from './presets/apple.js'
export { github } from './presets/github.js'
export { google } from './presets/google.js'
export { linkedin } from './presets/linkedin.js'
export { type MicrosoftOptions, microsoft } from './presets/microsoft.js'
export type { PresetOptions, SecretPresetOptions } from './presets/preset.js'
export type {
  Claims,
  Profile,
  Provider,
  ProviderResponse,
  ProvidersOptions,
  ProviderTokens,
} from './provider.js'

const minute = 60_000

/** The feature, and its methods for the host. */
export interface ProvidersFeature extends Feature {
  /**
   * The tokens of a user at a provider with `keepTokens`, refreshed if they end within a minute: by one process at a time,
   * for which the others wait at most `adapterTimeout`.
   * @param provider its name
   * @returns `null` if the user has none: no such identity, or the provider no longer accepts the refresh token
   * @throws AccountsError ACCOUNTS_PROVIDER_UNAVAILABLE, ACCOUNTS_PROVIDER_MISCONFIGURED, ACCOUNTS_UNAVAILABLE; Error if no
   * such provider is mounted
   */
  tokensOf(userId: string, provider: string): Promise<ProviderTokens | null>
}

/**
 * Logging in with other providers: a feature of fastify-accounts, for its option `features`. People log in and sign up
 * with them, and link and remove identities.
 * @throws Error at the start with one line that names the option
 */
export function providers(list: readonly Provider[], options: ProvidersOptions = {}): ProvidersFeature {
  const isProduction = process.env.NODE_ENV === 'production'
  checkProviders(list, isProduction)
  checkOptions(options, isProduction)
  let roles: Roles | undefined
  let mounted: ((userId: string, provider: string) => Promise<ProviderTokens | null>) | undefined
  return {
    name: 'providers',
    tokensOf(userId, provider) {
      if (mounted === undefined) throw new Error('tokensOf: the feature is not mounted yet')
      return mounted(userId, provider)
    },
    texts: { en, de, fr },
    errors: {
      ACCOUNTS_IDENTITY_TAKEN: 409,
      ACCOUNTS_OTHER_BROWSER: 400,
      ACCOUNTS_PROVIDER_CANNOT_CONFIRM: 400,
      ACCOUNTS_PROVIDER_MISCONFIGURED: 500,
      ACCOUNTS_PROVIDER_REFUSED: 400,
      ACCOUNTS_PROVIDER_UNAVAILABLE: 503,
    },
    cookies: ['claim', 'flow', 'identity'],
    limits: {
      changeIdentities: { max: 20, window: 60 * minute },
      loginWith: { max: 30, window: minute },
      loginWithCallback: { max: 30, window: minute },
    },
    links: {
      'confirm-identity': {
        route: 'confirm-identity',
        lifetime: ({ links }) => links.verifyLifetime,
        boundTo: ({ sessionEpoch, resetEpoch, verifyEpoch, emailKey, isVerified }) => [
          ...[sessionEpoch, resetEpoch, verifyEpoch],
          ...[emailKey, isVerified],
        ],
      },
    },
    mails: {
      'identity-added': { link: 'not-me', notice: 'digest' },
      'identity-removed': { link: 'not-me', notice: 'digest' },
      'identity-sign-up': {
        link: 'confirm-identity',
        budget: 'verifyMails',
        isWanted: ({ user }) => mayBeTaken(user, { roles }),
      },
      'identity-known': {
        budget: 'verifyMails',
        counted: 'separate',
        isWanted: ({ user }) => user.isVerified && !mayBeTaken(user, { roles }),
      },
    },
    needs: ['findByIdentity'],
    check(site) {
      checkFields(list, site)
      checkOrigins(options.appRedirectUris ?? [], site)
    },
    inspect: (deadline) => inspectProviders(list, deadline),
    hasWayIn: (user) => keysOf(user).some((key) => providerOf(list, user, key) !== null),
    beginnings: (core) => list.map((each) => providerBeginning(core, each)),
    host: (core) => identityHost(core, (own) => createHostIdentities(own, list)),
    export: (user) => exportedIdentities(list, user),
    routes(core) {
      roles = core.options.roles
      const { secret, session, adapterTimeout } = core.options
      if (core.keeper.spendOnce === undefined)
        throw new Error(
          '@fastify-accounts/providers: used flows need the sessionStore, which the app’s own @fastify/session replaces',
        )
      const keysFor = (what: string) => deriveKeys(secret, `${what}:${session.cookieName}`)
      const services: Services = {
        issuers: new Map(
          list.map((each) => {
            const issuer = createIssuer(
              withDeadlines(each, adapterTimeout, core.watchOutages),
              adapterTimeout,
            )
            const watch = (what: string) => core.watchOutages(`${what} ${each.name}`)
            return [
              each.name,
              watchedIssuer(issuer, watch('the provider'), watch('the keys of the provider')),
            ]
          }),
        ),
        flows: createFlows(core, keysFor('provider-flow')),
        pendingIdentities: createPendingIdentities(
          core,
          'identity',
          keysFor('pending-identity'),
          core.options.links.verifyLifetime,
        ),
        appCodes: createAppCodes(core.keeper.spendOnce, keysFor('app-code')),
        claims: createPendingIdentities(core, 'claim', keysFor('account-claim'), 10 * minute),
        spend: core.keeper.spendOnce,
      }
      const tokensOf = createTokensOf({ ...services, ...core })
      if (mounted !== undefined && list.some(({ keepTokens }) => keepTokens))
        fail('providers()', 'must be called once for each mount where tokens are kept')
      mounted = async (userId, name) => {
        const issuer = services.issuers.get(name)
        if (!issuer?.provider.keepTokens)
          throw new Error(`tokensOf: ${name} is not a provider with keepTokens`)
        return tokensOf(userId, issuer)
      }
      return { auth: providerRoutes(core, services, options) }
    },
  }
}
