import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'

interface Tsconfig {
  extends?: unknown
  compilerOptions?: { rootDir?: unknown } | null
}

/** How many files `extends` may lead through. */
const longest = 10

/**
 * The folder of a TypeScript project's sources, relative to it and with a slash at the end; `''` is the project itself. It is
 * the option `rootDir`, where `tsc` requires every source to be, or else `src/` if it exists.
 */
export function rootDirOf(cwd: string): string {
  const rootDir = readRootDir(cwd, resolve(cwd, 'tsconfig.json'), longest)
  const inside = rootDir === undefined ? '..' : relative(cwd, rootDir).split(sep).join('/')
  // One that is the project or around it leaves the choice.
  if (inside !== '' && !/^\.\.(\/|$)/.test(inside)) return `${inside}/`
  return existsSync(resolve(cwd, 'src')) ? 'src/' : ''
}

/** `rootDir` of a file, or of those it extends; each is relative to its own. `undefined` if it isn't set or can't be read. */
function readRootDir(cwd: string, file: string, left: number): string | undefined {
  const config = left > 0 ? readConfig(file) : null
  if (config === null) return undefined
  const { rootDir } = config.compilerOptions ?? {}
  if (typeof rootDir === 'string') return resolve(dirname(file), rootDir.replace(/^\$\{configDir\}/, cwd))
  for (const base of [config.extends].flat().reverse()) {
    const found = typeof base === 'string' ? readRootDir(cwd, find(file, base), left - 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function find(file: string, base: string): string {
  const names = [base, `${base}.json`, `${base}/tsconfig.json`]
  if (/^\.{0,2}\//.test(base)) {
    const paths = names.map((name) => resolve(dirname(file), name))
    return paths.find((path) => path.endsWith('.json') && existsSync(path)) ?? ''
  }
  const require = createRequire(file)
  for (const name of names) {
    try {
      const path = require.resolve(name)
      if (path.endsWith('.json')) return path
    } catch {
      // Another name, or no such package.
    }
  }
  return ''
}

/** It is JSON with comments, and with commas at the end of lists. */
function readConfig(file: string): Tsconfig | null {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
    const plain = text
      .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
      .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1')
    return Object(JSON.parse(plain)) as Tsconfig
  } catch {
    return null
  }
}
