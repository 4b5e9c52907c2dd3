import { createRequire, register } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What runs the app's TypeScript if Node.js doesn't, by the module that the project must have. */
const loaders: Readonly<Record<string, (loader: string, href: string) => Promise<unknown>>> = {
  async tsx(loader, href) {
    await import(loader)
    return import(again(href))
  },
  async jiti(loader, href) {
    const { createJiti } = await import(loader)
    return createJiti(href).import(fileURLToPath(href))
  },
  async 'ts-node/esm/transpile-only'(loader, href) {
    register(loader)
    return import(again(href))
  },
}

/** Node.js remembers that the plain URL failed. */
const again = (href: string): string => `${href}?again`

/**
 * Imports a module of the project. Where Node.js can't run its TypeScript, and no loader is in force, the first one that the
 * project has is used.
 * @throws Error of one line
 */
export async function loadModule<T>(cwd: string, file: string): Promise<T> {
  const { href } = pathToFileURL(resolve(cwd, file))
  try {
    return await import(href)
  } catch (error) {
    const hint = hintOf(file, error)
    if (hint === null) throw new Error(`${file} cannot be loaded`, { cause: error })
    const load = findLoader(cwd)
    if (load === null) throw new Error(`${file}${hint}`, { cause: error })
    const loaded = await load(href).catch((cause: unknown) => {
      throw new Error(`${file} cannot be loaded`, { cause })
    })
    return loaded as T
  }
}

/** What to do without a loader; `null` if the error isn't about TypeScript. */
function hintOf(file: string, error: unknown): string | null {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  const old = ": this version of Node.js can't run TypeScript"
  const choices = 'pass the built file with --config, install tsx in this project'
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /"\.[cm]?ts"/.test(String(message)))
    return `${old}; ${choices}, or use Node.js 22.18 or later`
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return ` has TypeScript that Node.js can't run; ${choices}`
  // TypeScript imports use the output's file names, which Node.js takes literally.
  const isOutput = /\.m?ts$/.test(file) && /^Cannot find module .*\.m?js'/.test(String(message))
  return isOutput ? ` cannot be loaded; ${choices}, or import the other file with its .ts extension` : null
}

function findLoader(cwd: string): ((href: string) => Promise<unknown>) | null {
  const require = createRequire(join(cwd, 'package.json'))
  for (const [name, load] of Object.entries(loaders)) {
    let loader: string
    try {
      loader = pathToFileURL(require.resolve(name)).href
    } catch {
      // Not in this project.
      continue
    }
    return (href) => load(loader, href)
  }
  return null
}
