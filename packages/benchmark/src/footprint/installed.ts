import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { versionOf } from '../versions.js'

export interface Installed {
  what: string
  packages: number
  /** Without source maps. */
  bytes: number
  /** Bytes of source maps. */
  maps: number
}

const execute = promisify(execFile)
const ours = fileURLToPath(new URL('../../../accounts', import.meta.url))

/** What npm puts into an empty folder, with fastify and without any driver. */
export async function measureInstalled(
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Installed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  try {
    const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: ours,
      signal,
    })
    const [packed] = JSON.parse(stdout) as { filename: string }[]
    const sets = {
      'fastify-accounts': [join(folder, packed?.filename ?? '')],
      'fastify alone': [],
      'by hand: @fastify/session, @fastify/cookie': ['@fastify/session', '@fastify/cookie'].map(exact),
      'better-auth': [exact('better-auth')],
    }
    const results: Installed[] = []
    for (const [at, [what, packages]] of Object.entries(sets).entries()) {
      say(`installed: ${what}`)
      const place = await mkdtemp(join(folder, `set${at}-`))
      await writeFile(join(place, 'package.json'), '{ "private": true }\n')
      const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', exact('fastify'), ...packages]
      await execute('npm', args, { cwd: place, signal })
      const lock = JSON.parse(await readFile(join(place, 'node_modules', '.package-lock.json'), 'utf8'))
      const sizes = await sizesOf(join(place, 'node_modules'))
      results.push({ what, packages: Object.keys(lock.packages).length, ...sizes })
    }
    return results
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `pg@8.16.0`, the version that is measured here. */
function exact(name: string): string {
  return versionOf(name).replace(' ', '@')
}

async function sizesOf(folder: string): Promise<Pick<Installed, 'bytes' | 'maps'>> {
  const sizes = { bytes: 0, maps: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    sizes[entry.name.endsWith('.map') ? 'maps' : 'bytes'] += (
      await lstat(join(entry.parentPath, entry.name))
    ).size
  }
  return sizes
}
