/**
 * Packs the built packages, as they would be published.
 *
 *   npm run pack               into tarballs
 *   npm run pack -- elsewhere   into that folder
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
export const pnpm = manifest(root).packageManager.split('+')[0]

/** The folders of the packages that are published, in the order of a release: the core first, on which the others depend. */
export const publicPackages = () =>
  readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && !manifest(folder).private)

/**
 * `pnpm pack` replaces the workspace's version ranges with real ones.
 * @returns the tarball's path
 */
export async function pack(folder, tarballs) {
  await run('npx', ['--yes', pnpm, 'pack', '--pack-destination', tarballs], folder)
  const { name, version } = manifest(folder)
  return join(tarballs, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tarballs = resolve(process.argv[2] ?? join(root, 'tarballs'))
  mkdirSync(tarballs, { recursive: true })
  for (const tarball of await Promise.all(publicPackages().map((folder) => pack(folder, tarballs)))) {
    console.log(tarball)
  }
}
