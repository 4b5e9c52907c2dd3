import { execFile } from 'node:child_process'
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { versionOf } from '../versions.js'

export interface Installed {
  packages: number
  /** Without source maps. */
  bytes: number
  /** Bytes of source maps. */
  maps: number
}

const execute = promisify(execFile)
const root = new URL('../../../../', import.meta.url)

/** Besides fastify: packages of this repository, by folder, and others from the registry. */
const sets = {
  'fastify-accounts': { ours: ['accounts'], others: [] },
  'fastify-accounts, @fastify-accounts/kysely': { ours: ['accounts', 'kysely'], others: [] },
  'fastify alone': { ours: [], others: [] },
  'by hand: @fastify/session, @fastify/cookie': { ours: [], others: ['@fastify/session', '@fastify/cookie'] },
  'better-auth': { ours: [], others: ['better-auth'] },
} satisfies Record<string, { ours: string[]; others: string[] }>

export type SetName = keyof typeof sets
export const setNames = Object.keys(sets) as SetName[]

/** What npm installs into an empty folder, with fastify and without any driver. */
export async function measureInstalled(what: SetName, signal: AbortSignal): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  try {
    const { ours, others } = sets[what]
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    const packed = await Promise.all(ours.map((name) => pack(name, folder, signal)))
    const wanted = [exact('fastify'), ...packed, ...others.map(exact)]
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted]
    await execute('npm', args, { cwd: folder, signal })
    const lock = JSON.parse(await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
    return { packages: Object.keys(lock.packages).length, ...(await sizesOf(join(folder, 'node_modules'))) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The path of the archive that would be published. */
async function pack(name: string, destination: string, signal: AbortSignal): Promise<string> {
  const cwd = fileURLToPath(new URL(`packages/${name}`, root))
  const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))
  // npm would leave the versions of this repository's other packages as they are written here.
  const args = ['--yes', manifest.packageManager, 'pack', '--json', '--pack-destination', destination]
  const { stdout } = await execute('npx', args, { cwd, signal })
  const { filename } = JSON.parse(stdout) as { filename: string }
  return resolve(destination, filename)
}

/** `pg@8.16.0`, the version that is measured here. */
function exact(name: string): string {
  return versionOf(name).replace(' ', '@')
}

async function sizesOf(folder: string): Promise<Pick<Installed, 'bytes' | 'maps'>> {
  const sizes = { bytes: 0, maps: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const { size } = await lstat(join(entry.parentPath, entry.name))
    sizes[entry.name.endsWith('.map') ? 'maps' : 'bytes'] += size
  }
  return sizes
}
