import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * `pg 8.16.0`, for the package as installed here.
 * @param require the `require` of the code that uses it
 */
export function versionOf(name: string, require = createRequire(import.meta.url)): string {
  // Not every package exports its package.json.
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = read(join(folder, 'package.json'))
    if (manifest?.name === name) return `${name} ${manifest.version}`
  }
  throw new Error(`${name} has no version`)
}

function read(file: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** What every figure depends on: `2 cores, Node 20.19.0`. */
export function machine(): string {
  return `${availableParallelism()} cores, Node ${process.versions.node}`
}

/** `fastify 5.12.8, pg 8.16.0` */
export function versionsOf(names: Iterable<string>): string {
  return Array.from(names, (name) => versionOf(name)).join(', ')
}
