import type { PageTheme } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { dayOf } from './moments.js'

/** How many of each kind were removed when an account was secured. */
interface Removed {
  /** RFC 3339. */
  removed_at: string
  passkeys: number
  apps: number
  recovery_codes: number
  identities: number
  api_keys: number
}

/** When an account was secured, and what was removed then: "1 passkey and 10 recovery codes". */
export function removedSentence(site: Site, language: PageTheme['language'], removed: Removed): string {
  const { say, list, texts } = language
  const kinds = ['passkeys', 'apps', 'recovery_codes', 'identities', 'api_keys'] as const
  const found = kinds.filter((kind) => removed[kind] > 0)
  return say(texts.pages.account_pages.secured, {
    date: dayOf(site, language, removed.removed_at),
    list: list(found.map((kind) => say(texts.removed[kind], { count: removed[kind] }))),
  })
}
