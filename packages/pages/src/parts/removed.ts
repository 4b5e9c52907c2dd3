import type { PageTheme } from 'fastify-accounts/features'

/** How many of each kind were removed when an account was secured. */
interface Removed {
  passkeys: number
  apps: number
  recovery_codes: number
  identities: number
  api_keys: number
}

/** "This was removed …: 1 passkey and 10 recovery codes." */
export function removedSentence({ say, list, texts }: PageTheme['language'], removed: Removed): string {
  const kinds = ['passkeys', 'apps', 'recovery_codes', 'identities', 'api_keys'] as const
  const found = kinds.filter((kind) => removed[kind] > 0)
  return say(texts.removed.sentence, {
    list: list(found.map((kind) => say(texts.removed[kind], { count: removed[kind] }))),
  })
}
