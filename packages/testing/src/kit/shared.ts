/**
 * A value that all copies of the plugin in this process share, under the name that the plugin gives it. So tests reach
 * what an app has no export for, whichever copy it uses.
 */
export function shared<T extends object>(name: string, create: () => T): T {
  const place = globalThis as { [key: symbol]: T | undefined }
  const key = Symbol.for(`fastify-accounts.${name}`)
  place[key] ??= create()
  return place[key]
}
