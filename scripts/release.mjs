/**
 * Prepares a release: sets the version of all packages, and turns the Unreleased section of CHANGELOG.md into its
 * entry. Commits, tags and publishes nothing; CONTRIBUTING.md has the next steps.
 *
 *   node scripts/release.mjs 0.2.0
 *   node scripts/release.mjs --check v0.2.0   checks that the tag matches this work tree, before publishing
 *   node scripts/release.mjs --notes v0.2.0   prints its entry in CHANGELOG.md, for the release on GitHub
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import semver from 'semver'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const changelog = join(root, 'CHANGELOG.md')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'string' }, notes: { type: 'string' } },
})

try {
  if (values.check !== undefined) checkTag(values.check)
  else if (values.notes !== undefined) console.log(notesOf(values.notes))
  else prepare(positionals[0])
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function prepare(version) {
  const manifests = publicManifests()
  checkOwner(manifests)
  checkVersion(manifests, version)
  const today = new Date().toISOString().slice(0, 10)
  const text = released(readFileSync(changelog, 'utf8'), version, today)
  for (const { file, text } of manifests) writeFileSync(file, withVersion(text, version))
  writeFileSync(changelog, text)
  console.log(`${manifests.length} packages are now ${version}. Review CHANGELOG.md.`)
}

function checkTag(tag) {
  const manifests = publicManifests()
  checkOwner(manifests)
  for (const { text } of manifests) {
    const { name, version } = JSON.parse(text)
    if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but ${name} is ${version}`)
  }
  if (!readFileSync(changelog, 'utf8').includes(`## [${tag.slice(1)}]`))
    throw new Error(`CHANGELOG.md has no entry for ${tag}`)
}

/** The entry for a tag, with links to the files at that tag. */
function notesOf(tag) {
  const entry = readFileSync(changelog, 'utf8')
    .split(/^## /m)
    .find((each) => each.startsWith(`[${tag.slice(1)}]`))
  if (entry === undefined) throw new Error(`CHANGELOG.md has no entry for ${tag}`)
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = `${repository.url.replaceAll(/^git\+|\.git$/g, '')}/blob/${tag}/`
  const text = entry.slice(entry.indexOf('\n')).trim()
  return text.replaceAll(/\]\((?![a-z]+:|#)/g, `](${files}`)
}

/** npm checks that `repository` is where the release runs; only the project's owner can set it. */
function checkOwner(manifests) {
  if (!manifests.some(({ text }) => text.includes('/OWNER/'))) return
  throw new Error(
    "package.json and packages/*/package.json have the placeholder OWNER: replace it with the repository's owner on GitHub",
  )
}

function publicManifests() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name, 'package.json'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => !JSON.parse(text).private)
}

function checkVersion(manifests, version) {
  if (semver.valid(version) !== version) throw new Error('usage: node scripts/release.mjs 0.2.0')
  for (const { text } of manifests) {
    const { name, version: current } = JSON.parse(text)
    // The first release keeps the existing version.
    const isFirst = !readFileSync(changelog, 'utf8').includes(`## [${current}]`)
    if (semver.lt(version, current) || (version === current && !isFirst))
      throw new Error(`${name} is already ${current}`)
  }
}

/** Changes only the version: the rest of the file keeps its format. */
function withVersion(text, version) {
  return text.replace(/^( {2}"version": ")[^"]+/m, `$1${version}`)
}

function released(changelog, version, date) {
  const heading = '## [Unreleased]\n'
  const at = changelog.indexOf(heading)
  if (at === -1) throw new Error('CHANGELOG.md has no heading Unreleased')
  const after = changelog.slice(at + heading.length)
  const next = after.search(/^## \[/m)
  const changes = (next === -1 ? after : after.slice(0, next)).trim()
  if (!/^- /m.test(changes)) throw new Error('CHANGELOG.md has nothing under Unreleased')
  const older = next === -1 ? '' : after.slice(next)
  return `${changelog.slice(0, at)}${heading}\n## [${version}] - ${date}\n\n${changes}\n${older && `\n${older}`}`
}
