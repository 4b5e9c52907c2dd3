import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-api-keys': true
    'create-api-key': true
    'remove-api-key': true
    'list-services': true
    'create-service': true
    'delete-service': true
    'list-service-api-keys': true
    'create-service-api-key': true
    'remove-service-api-key': true
  }
  interface FeatureMails {
    'api-key-added': true
    'api-key-removed': true
  }
  interface FeatureTexts {
    'api-keys': typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** API keys created per user: each is a write and sends an email. Default 20 an hour. */
    changeApiKeys: Limit
  }
}
