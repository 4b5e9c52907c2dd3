import type { HostPages } from './host.js'
import type { en } from './texts/en/index.js'

declare module 'fastify-accounts' {
  interface FeatureCalls {
    /** The pages: their URLs, and what a header of your own needs. */
    pages: HostPages
  }
  interface FeatureTexts {
    pages: typeof en
  }
}
