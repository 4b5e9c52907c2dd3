import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'not-me': 'not-me'
  }
  interface FeatureLinks {
    'not-me': 'not-me'
  }
  interface FeatureTexts {
    'not-me': typeof en
  }
}
