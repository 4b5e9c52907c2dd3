import type { Client, PageVisit } from 'fastify-accounts/features'
import type { AccountFacts } from './facts.js'

/** An account, as its page shows it in a language. */
export interface ShownAccount extends AccountFacts {
  user: NonNullable<PageVisit['who']>['user']
  language: Client['language']
}
