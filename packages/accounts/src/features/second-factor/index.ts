import { fail } from '../../options/checks.js'
import type { AccountsFeature } from '../../options/options.js'
import { deriveKeys } from '../../options/secret-keys.js'
import { day } from '../../options/time.js'
import type { AccountUser } from '../../user.js'
import type { Feature } from '../feature.js'
import { codeFactor } from './factors/code-factor.js'
import { factorsView } from './factors/factors-view.js'
import { factorHost } from './host.js'
import { appRoutes } from './routes/apps.js'
import { factorRoutes, substituteRoutes } from './routes/factors.js'
import { loginRoute } from './routes/login.js'
import { staffResetRoutes } from './routes/reset.js'
import { de, en, fr } from './texts.js'

/** Options of `secondFactor()`. */
export interface SecondFactorOptions {
  /**
   * Who must have a second factor: `(user) => user.isStaff`. A user without one can only log in and set one
   * up. Called at each request; if it throws or takes longer than `adapterTimeout`, the response is 503. Default:
   * nobody.
   */
  requiredFor?: ((user: AccountUser) => boolean | Promise<boolean>) | undefined
  /** The service name shown by authenticator apps. Default: `brand.name`. */
  issuer?: string | undefined
  /**
   * How long a device skips the second factor if its owner chooses so at login, in milliseconds. 0 to a year;
   * 0 turns it off, also for devices remembered already. Default 30 days.
   */
  rememberFor?: number | undefined
}

/** A second step at login: authenticator apps and recovery codes. For the option `features`. */
export function secondFactor(options: SecondFactorOptions = {}): AccountsFeature {
  const { requiredFor, issuer, rememberFor = 30 * day, ...unknown } = options
  const feature: Feature = {
    name: 'second-factor',
    texts: { en, de, fr },
    mails: {
      'factor-added': { link: 'not-me', notice: 'digest' },
      'factor-removed': { link: 'not-me', notice: 'digest' },
      'recovery-codes-changed': { link: 'not-me', notice: 'digest' },
      'recovery-codes-low': { link: 'not-me', notice: 'digest' },
      'factor-guessed': { link: 'not-me', notice: 'digest' },
      'factor-turned-off': { link: 'not-me', notice: 'digest' },
    },
    enables: { rememberFor },
    ...(requiredFor && { mustHaveFactor: requiredFor }),
    check() {
      const [name] = Object.keys(unknown)
      if (name !== undefined) fail(`secondFactor.${name}`, 'is not an option')
      if (requiredFor !== undefined && typeof requiredFor !== 'function')
        fail('secondFactor.requiredFor', 'must be a function')
      if (!Number.isSafeInteger(rememberFor) || rememberFor < 0 || rememberFor > 365 * day)
        fail('secondFactor.rememberFor', 'must be milliseconds, from 0 to a year')
      if (issuer !== undefined && (typeof issuer !== 'string' || issuer === '' || issuer.includes(':')))
        fail('secondFactor.issuer', 'must be a string without a colon')
    },
    factors: ({ vault }) => [codeFactor(vault)],
    host: () => factorHost('factor-removed'),
    export: async (user, core) => ({ ...(await factorsView(core, user, core.pending.devices)) }),
    async imports({ vault }) {
      const { factorReaders } = await import('./import/readers.js')
      return factorReaders(vault)
    },
    routes(core) {
      const { secret, session, brand } = core.options
      // Apps split the label at the first colon.
      const setup = {
        keys: deriveKeys(secret, `totp-enrollment:${session.cookieName}`),
        issuer: issuer ?? brand.name.replaceAll(':', ' '),
      }
      return {
        auth: [loginRoute(core), ...factorRoutes, ...appRoutes(setup), ...substituteRoutes],
        users: staffResetRoutes(core, 'factor-removed'),
      }
    },
  }
  return feature
}
