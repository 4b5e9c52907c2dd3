import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'not-me': true
  }
  interface FeatureLinks {
    'not-me': true
  }
  interface FeatureTexts {
    'not-me': typeof en
  }
}
