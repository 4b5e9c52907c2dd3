import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureMails {
    'factor-added': true
    'factor-removed': true
    'recovery-codes-changed': true
    'recovery-codes-low': true
    'factor-guessed': true
    'factor-turned-off': true
  }
  interface FeatureTexts {
    'second-factor': typeof en
  }
}
