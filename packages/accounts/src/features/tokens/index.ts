import { fail } from '../../options/checks.js'
import type { AccountsFeature } from '../../options/options.js'
import { day, minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import './names.js'
import { tokenRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Options of `tokens()`; times are in milliseconds. */
export interface TokensOptions {
  /** Whether there are refresh tokens. Without them an access token lasts as long as its session. Default `true`. */
  refresh?: boolean | undefined
  /** How long an access token that can be refreshed lasts. One minute to one day. Default 15 minutes. */
  access?: number | undefined
  /**
   * How long a session lasts without a refresh: at least twice `access`. Without refresh tokens: without a request, at least
   * a minute. Default 60 days.
   */
  idle?: number | undefined
  /** How long a session lasts in any case: at least `idle`, at most ten years. Default a year. */
  absolute?: number | undefined
}

/** Sessions for apps and other clients without cookies, as bearer tokens. For the option `features`. */
export function tokens(options: TokensOptions = {}): AccountsFeature {
  const { refresh = true, access, idle = 60 * day, absolute = 365 * day, ...unknown } = options
  const accessLifetime = refresh ? (access ?? 15 * minute) : absolute
  const [least, inWords] = refresh ? [2 * accessLifetime, 'twice tokens.access'] : [minute, 'a minute']
  const feature: Feature = {
    name: 'tokens',
    texts: { en, de, fr },
    enables: {
      tokens: { refreshes: refresh, accessLifetime, idleTimeout: idle, absoluteTimeout: absolute },
    },
    ...(refresh && {
      limits: { refreshTokens: { max: 60, window: minute } },
      mails: { 'token-reused': { link: 'not-me', notice: 'digest' } },
    }),
    check() {
      const [name] = Object.keys(unknown)
      if (name !== undefined) fail(`tokens.${name}`, 'is not an option')
      const inMilliseconds = (value: number, least: number, most: number) =>
        Number.isSafeInteger(value) && value >= least && value <= most
      if (typeof refresh !== 'boolean') fail('tokens.refresh', `must be true or false, got ${refresh}`)
      if (!refresh && access !== undefined)
        fail('tokens.access', `must be left out with tokens.refresh: false, got ${access}`)
      if (refresh && !inMilliseconds(accessLifetime, minute, day))
        fail('tokens.access', `must be milliseconds, from a minute to a day, got ${access}`)
      if (!inMilliseconds(absolute, least, 3650 * day))
        fail('tokens.absolute', `must be milliseconds, from ${inWords} to ten years, got ${absolute}`)
      if (!inMilliseconds(idle, least, absolute))
        fail('tokens.idle', `must be milliseconds, from ${inWords} to tokens.absolute, got ${idle}`)
    },
    routes: (core) => ({ auth: tokenRoutes(core, refresh) }),
  }
  return feature
}
