/**
 * Publishes packed packages without the upload, in the order of a release: fails if npm would refuse one, or publish it
 * other than publicly, with provenance, and from its folder of this repository. Needs no network and no identity.
 *
 *   npm run check:publish              packs the built packages
 *   npm run check:publish -- release   the tarballs in that folder
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { manifest, pack, publicPackages, root } from './pack.mjs'
import { run, runBoth } from './run.mjs'

/** Nothing listens there: a mistake can't publish anything. */
const registry = '127.0.0.1:9'

/** @param tarballs in any order */
export async function checkPublish(tarballs) {
  const { repository } = manifest(root)
  const folders = new Map(publicPackages().map((folder) => [manifest(folder).name, folder]))
  for (const tarball of [...tarballs].sort()) {
    const packed = JSON.parse(await run('tar', ['-xzOf', tarball, 'package/package.json'], root))
    const { name, version } = packed
    const folder = folders.get(name)
    const directory = folder?.slice(root.length + 1).replaceAll('\\', '/')
    const wrong = [
      folder === undefined && 'is no public package of this repository',
      packed.private && 'is private',
      folder && version !== manifest(folder).version && `has version ${version}`,
      !isDeepStrictEqual(packed.repository, { ...repository, directory }) &&
        `has the repository ${JSON.stringify(packed.repository)}`,
      packed.publishConfig?.access !== 'public' && 'would not be public',
      packed.publishConfig?.provenance !== true && 'would have no provenance',
    ].filter((each) => each)
    if (wrong.length > 0) throw new Error(`${name} in ${tarball} ${wrong.join('; ')}`)
    const said = await npm(['publish', tarball, '--dry-run'])
    if (!said.includes(`+ ${name}@${version}`) || !/with tag latest and public access/.test(said))
      throw new Error(`${name} would not be published:\n${said}`)
    // Without an identity, which only the release has, a real publish gets as far as the provenance.
    const refused = await npm(['publish', tarball, `--//${registry}/:_authToken=none`]).catch(String)
    if (!/provenance generation/i.test(refused))
      throw new Error(`${name} would be published without provenance:\n${refused}`)
    console.log(`would publish ${name}@${version}, public, with provenance`)
  }
}

async function npm([command, ...args]) {
  const all = [command, ...args, '--ignore-scripts', '--registry', `http://${registry}/`]
  const { stdout, stderr } = await runBoth('npm', all, root, {
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    // Otherwise it prints nothing under `npm run --silent`.
    npm_config_loglevel: 'notice',
  })
  return stdout + stderr
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const work = mkdtempSync(join(tmpdir(), 'check-publish-'))
  try {
    const kept = process.argv[2] && resolve(process.argv[2])
    mkdirSync(join(work, 'tarballs'))
    const tarballs = kept
      ? readdirSync(kept)
          .filter((name) => name.endsWith('.tgz'))
          .map((name) => join(kept, name))
      : await Promise.all(publicPackages().map((folder) => pack(folder, join(work, 'tarballs'))))
    await checkPublish(tarballs)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
