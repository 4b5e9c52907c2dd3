import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'refresh-tokens': 'tokens-refresh'
    'revoke-token': 'tokens-revoke'
  }
  interface FeatureMails {
    'token-reused': true
  }
  interface FeatureTexts {
    tokens: typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** Refreshes per session of tokens. Default 60 a minute. */
    refreshTokens: Limit
  }
}
