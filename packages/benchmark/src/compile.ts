import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The samples, by the names of their files, with what they are called in tables. */
export const samples = {
  bare: 'bare Fastify',
  'fastify-accounts': 'fastify-accounts',
  'better-auth': 'better-auth, mounted as its guide says',
} as const

export type Sample = keyof typeof samples

/** What the compiler says of one compilation. */
export interface Compilation {
  files: number
  types: number
  instantiations: number
  /** Milliseconds. */
  check: number
}

// From src and from dist alike.
const folder = fileURLToPath(new URL('../samples/', import.meta.url))
const compiler = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc')

/**
 * Compiles a sample app by itself, as a strict project would, on one thread: the counts are the same on every machine.
 * @throws Error if it does not compile
 */
export function compile(sample: Sample): Compilation {
  const options = '--strict --module nodenext --target es2023 --types node --skipLibCheck --noEmit'
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[compiler, `${sample}.ts`, '--ignoreConfig', '--extendedDiagnostics', '--singleThreaded'],
      ...options.split(' '),
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`samples/${sample}.ts does not compile:\n${stdout}${stderr}`)
  const read = (what: string): number => {
    const [, figure] = new RegExp(`^${what}:\\s+([\\d.]+)`, 'm').exec(stdout) ?? []
    if (figure === undefined) throw new Error(`the compiler tells no ${what}:\n${stdout}`)
    return Number(figure)
  }
  return {
    files: read('Files'),
    types: read('Types'),
    instantiations: read('Instantiations'),
    check: read('Check time') * 1000,
  }
}
