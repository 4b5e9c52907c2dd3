import type { Language } from './languages.js'

/**
 * How many of each kind an account has lost, as in JSON. Never their names: a thief chooses those of what they
 * add.
 */
export type Removed = {
  passkeys: number
  /** Authenticator apps. */
  apps: number
  recovery_codes: number
  /** Logins with other providers. */
  identities: number
  api_keys: number
  /** Devices that skipped the second factor. */
  remembered_devices: number
}

/** The kinds in the order in which people read them. */
export const removable: readonly (keyof Removed)[] = [
  'passkeys',
  'apps',
  'recovery_codes',
  'identities',
  'api_keys',
  'remembered_devices',
]

/** "1 passkey", "10 recovery codes": a line for each kind that was removed, for a list. */
export function removedLines({ texts, say }: Language, removed: Removed): string[] {
  return removable
    .filter((kind) => removed[kind] > 0)
    .map((kind) => say(texts.removed[kind], { count: removed[kind] }))
}

/** The same as a sentence: "This was removed …: 1 passkey and 10 recovery codes." */
export function removedSentence(language: Language, removed: Removed): string {
  const list = language.list(removedLines(language, removed))
  return language.say(language.texts.removed.sentence, { list })
}
