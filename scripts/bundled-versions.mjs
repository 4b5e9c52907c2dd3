/**
 * Compares the libraries that the built packages contain with the registry, and fails if a newer version that semver
 * calls compatible is there: users get it only by a release of ours. A newer major version is only mentioned.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import semver from 'semver'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** By name and version, the packages of ours that contain it. */
const bundled = new Map()
for (const name of readdirSync(join(root, 'packages'))) {
  const bom = readSbom(join(root, 'packages', name, 'dist/sbom.cdx.json'))
  for (const { group, name: base, version } of bom?.components ?? []) {
    // A dependency that is installed next to the package has a range instead.
    if (version === undefined) continue
    const library = group === undefined ? base : `${group}/${base}`
    const key = `${library}@${version}`
    bundled.set(key, { library, version, holders: [...(bundled.get(key)?.holders ?? []), name] })
  }
}

let behind = 0
for (const { library, version, holders } of bundled.values()) {
  const versions = versionsOf(library)
  const compatible = semver.maxSatisfying(versions, `^${version}`)
  const newest = semver.maxSatisfying(versions, '*')
  if (compatible !== null && semver.gt(compatible, version)) {
    behind += 1
    console.log(`BEHIND ${library}: ${holders.join(', ')} contain ${version}, the registry has ${compatible}`)
  } else if (newest !== null && semver.gt(newest, version)) {
    console.log(`${library} ${version}: there is ${newest}`)
  }
}
console.log(`${bundled.size} bundled libraries, ${behind} behind`)
process.exitCode = behind > 0 ? 1 : 0

function readSbom(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Packages that aren't published have none.
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Without those that were withdrawn. */
function versionsOf(library) {
  const args = ['view', library, 'versions', '--json']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm view ${library}: ${stderr.trim()}`)
  return [JSON.parse(stdout)].flat()
}
