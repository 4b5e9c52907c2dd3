/**
 * A process may load several copies of this package: pnpm installs one for each version of Fastify in a workspace. A
 * store, a mailer or a feature may then come from another copy than the plugin. What they share is found by symbols
 * that are the same in all copies.
 */

import { fileURLToPath } from 'node:url'

/** One value for all copies. */
export function shared<T extends object>(name: string, create: () => T): T {
  const place = globalThis as { [key: symbol]: T | undefined }
  const key = Symbol.for(`fastify-accounts.${name}`)
  place[key] ??= create()
  return place[key]
}

/** Makes `instanceof` recognize the errors of all copies, by a mark. Classes that extend this one stay apart. */
export function markError(type: abstract new (...args: never) => Error, name: string): void {
  const mark = Symbol.for(`fastify-accounts.${name}`)
  Object.defineProperty(type.prototype, mark, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, thrown: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, thrown)
      return typeof thrown === 'object' && thrown !== null && mark in thrown
    },
  })
}

/** The folders of the copies that this process has loaded. One loaded twice, as by a test runner, counts once. */
export const copies: Set<string> = shared('copies', () => new Set<string>())
copies.add(folderOf(import.meta.url))

/** @param url of the source, the build, or an app's bundle, where it may be missing */
function folderOf(url: string | undefined): string {
  if (!url?.startsWith('file:')) return String(url)
  return fileURLToPath(url).replace(/^(.*)[\\/](?:src|dist)[\\/].*$/s, '$1')
}
