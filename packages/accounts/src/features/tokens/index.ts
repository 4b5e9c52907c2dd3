import { fail } from '../../options/checks.js'
import type { AccountsFeature } from '../../options/options.js'
import { day, minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import './names.js'
import { tokenRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Options of `tokens()`, in milliseconds. */
export interface TokensOptions {
  /** How long an access token lasts. One minute to one day. Default 15 minutes. */
  access?: number | undefined
  /** How long a session lasts without a refresh: at least twice `access`. Default 60 days. */
  idle?: number | undefined
  /** How long a session lasts in any case: at least `idle`, at most ten years. Default a year. */
  absolute?: number | undefined
}

/** Sessions for apps and other clients without cookies, as bearer tokens. For the option `features`. */
export function tokens(options: TokensOptions = {}): AccountsFeature {
  const { access = 15 * minute, idle = 60 * day, absolute = 365 * day, ...unknown } = options
  const feature: Feature = {
    name: 'tokens',
    texts: { en, de, fr },
    enables: { tokens: { accessLifetime: access, idleTimeout: idle, absoluteTimeout: absolute } },
    limits: { refreshTokens: { max: 60, window: minute } },
    mails: { 'token-reused': { link: 'not-me', notice: 'digest' } },
    check() {
      const [name] = Object.keys(unknown)
      if (name !== undefined) fail(`tokens.${name}`, 'is not an option')
      const inMilliseconds = (value: number, least: number, most: number) =>
        Number.isSafeInteger(value) && value >= least && value <= most
      if (!inMilliseconds(access, minute, day))
        fail('tokens.access', `must be milliseconds, from a minute to a day, got ${access}`)
      if (!inMilliseconds(absolute, 2 * access, 3650 * day))
        fail(
          'tokens.absolute',
          `must be milliseconds, from twice tokens.access to ten years, got ${absolute}`,
        )
      if (!inMilliseconds(idle, 2 * access, absolute))
        fail('tokens.idle', `must be milliseconds, from twice tokens.access to tokens.absolute, got ${idle}`)
    },
    routes: (core) => ({ auth: tokenRoutes(core) }),
  }
  return feature
}
