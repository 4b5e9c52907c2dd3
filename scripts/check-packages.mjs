/**
 * Checks the built packages as users get them: packs and lints them, publishes them without the upload as
 * check-publish.mjs does, and uses them in the ways of use-packages.mjs. Fails at the first error.
 *
 *   npm run check:packages
 *   npm run check:packages -- release   keeps the tarballs in that folder
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkPublish } from './check-publish.mjs'
import { manifest, pack, publicPackages, root } from './pack.mjs'
import { run } from './run.mjs'
import { usePackages } from './use-packages.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const work = mkdtempSync(join(tmpdir(), 'check-packages-'))
/** A folder for the tarballs, which then stay: the release publishes those that were checked. */
const [kept] = process.argv.slice(2)
const tarballs = kept === undefined ? join(work, 'tarballs') : resolve(kept)

try {
  const packages = publicPackages()
  for (const folder of packages) {
    checkManifest(folder)
    checkNothingStale(folder)
  }
  mkdirSync(tarballs)
  const packed = await Promise.all(packages.map(packComplete))
  await Promise.all([...packed.map(lint), checkPublish(packed), usePackages(packages, packed, work)])
  console.log(`${packed.length} packages are OK.`)
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}

/** All packages are released together, publicly, for the same versions of Node.js. */
function checkManifest(folder) {
  const [of, all] = [manifest(folder), manifest(root)]
  const first = manifest(join(root, 'packages/accounts'))
  const wrong = [
    of.version !== first.version && `has version ${of.version}, not ${first.version}`,
    of.engines?.node !== all.engines.node && `requires Node.js ${of.engines?.node}, not ${all.engines.node}`,
    of.license !== all.license && `has the license ${of.license}`,
    !of.description && 'has no description',
    !of.keywords?.includes('fastify-accounts') &&
      of.name !== first.name &&
      'lacks the keyword fastify-accounts',
    of.homepage !== all.homepage && `has the homepage ${of.homepage}, not ${all.homepage}`,
    of.bugs !== all.bugs && `has the bugs URL ${of.bugs}, not ${all.bugs}`,
  ].filter((each) => each !== false)
  if (wrong.length > 0) throw new Error(`${of.name} ${wrong.join('; ')}`)
}

/** Declarations whose source was deleted would still be published. The bundler removes stale scripts itself. */
function checkNothingStale(folder) {
  const built = readdirSync(join(folder, 'dist'), { recursive: true })
  for (const file of built.filter((each) => each.endsWith('.d.ts'))) {
    if (!existsSync(join(folder, 'src', file.replace(/\.d\.ts$/, '.ts')))) {
      throw new Error(`${join(folder, 'dist', file)} no longer has a source: remove it`)
    }
  }
}

async function packComplete(folder) {
  const tarball = await pack(folder, tarballs)
  const files = (await run('tar', ['-tzf', tarball], folder)).split('\n')
  for (const needed of [
    'package/package.json',
    'package/LICENSE',
    'package/README.md',
    'package/dist/index.js',
    'package/dist/index.d.ts',
    'package/dist/sbom.cdx.json',
  ]) {
    if (!files.includes(needed)) throw new Error(`${tarball} lacks ${needed}`)
  }
  if (!files.some((file) => file.endsWith('.js.map'))) throw new Error(`${tarball} lacks source maps`)
  if ((await run('tar', ['-xzOf', tarball, 'package/package.json'], folder)).includes('workspace:')) {
    throw new Error(`${tarball} has a workspace: version range`)
  }
  console.log(`packed ${tarball}, ${files.length - 1} files`)
  return tarball
}

async function lint(tarball) {
  await run(bin('publint'), ['run', tarball, '--strict'], root)
  await run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], root)
}
