/**
 * Prepares a release: sets the version of all packages, and turns the Unreleased section of CHANGELOG.md into its
 * entry. Commits, tags and publishes nothing; docs/releasing.md has the next steps.
 *
 *   node scripts/release.mjs 0.2.0
 *   node scripts/release.mjs --repository owner/name   says where the repository is on GitHub, once before the first
 *                                                      release; with --homepage if the site has a domain of its own
 *   node scripts/release.mjs --packages       prints the names of the packages, in the order of publishing
 *   node scripts/release.mjs --check v0.2.0   checks that the tag matches this work tree, before publishing
 *   node scripts/release.mjs --notes v0.2.0   prints its entry in CHANGELOG.md, for the release on GitHub
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import semver from 'semver'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const changelog = join(root, 'CHANGELOG.md')
const start = join(root, 'docs/start.md')
/** What docs/start.md says until the first release. */
const unreleased = /<!-- #region before the first release -->\n.*?<!-- #endregion -->\n\n/s

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'string' },
      notes: { type: 'string' },
      packages: { type: 'boolean' },
      repository: { type: 'string' },
      homepage: { type: 'string' },
    },
  })
  if (values.check !== undefined) checkTag(values.check)
  else if (values.notes !== undefined) console.log(notesOf(values.notes))
  else if (values.packages) for (const { text } of publicManifests()) console.log(JSON.parse(text).name)
  else if (values.repository !== undefined) moveTo(values.repository, values.homepage)
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
  writeFileSync(start, readFileSync(start, 'utf8').replace(unreleased, ''))
  console.log(`${manifests.length} packages are now ${version}. Review CHANGELOG.md.`)
}

/** Writes where the repository and the site are into every file that names them. */
function moveTo(repository, homepage) {
  const [, owner, name] = /^([a-z\d](?:-?[a-z\d]){0,38})\/([\w.-]{1,100})$/i.exec(repository) ?? []
  if (owner === undefined || owner === 'OWNER' || /^\.+$|\.git$/.test(name))
    throw new Error(`--repository must be owner/name, as on GitHub, got ${repository}`)
  if (homepage !== undefined && !/^https:\/\/[^/\s]+\/(?:[^\s?#]+\/)?$/.test(homepage))
    throw new Error(`--homepage must begin with https:// and end with /, got ${homepage}`)
  const before = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const old = before.repository.url.replaceAll(/^git\+https:\/\/github\.com\/|\.git$/g, '')
  const host = `${owner.toLowerCase()}.github.io`
  const site = homepage ?? `https://${host}/${name.toLowerCase() === host ? '' : `${name}/`}`
  const url = new RegExp(`github\\.com/${old.replaceAll('.', '\\.')}(?![\\w-])`, 'g')
  const changed = namingFiles().filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const next = text.replaceAll(before.homepage, site).replaceAll(url, `github.com/${repository}`)
    if (next !== text) writeFileSync(join(root, file), next)
    return next !== text
  })
  for (const file of changed) console.log(file)
  console.log(
    `${changed.length} files now name https://github.com/${repository} and ${site}. Next: docs/releasing.md, "Before the first release".`,
  )
}

/** Every file of the repository that may name where it is. */
function namingFiles() {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter(
      (file) => /\.(?:html|js|json|md|mjs|svg|ts|ya?ml)$/.test(file) && !/^pnpm-lock|\/fixtures\//.test(file),
    )
}

function checkTag(tag) {
  const manifests = publicManifests()
  checkOwner(manifests)
  for (const { text } of manifests) {
    const { name, version, repository } = JSON.parse(text)
    // npm compares them: provenance is of the repository whose workflow publishes.
    const { GITHUB_REPOSITORY: here } = process.env
    if (here !== undefined && repository.url !== `git+https://github.com/${here}.git`)
      throw new Error(
        `${name} names ${repository.url}, but this is ${here}: run release.mjs --repository ${here}`,
      )
    if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but ${name} is ${version}`)
  }
  if (!readFileSync(changelog, 'utf8').includes(`## [${tag.slice(1)}]`))
    throw new Error(`CHANGELOG.md has no entry for ${tag}`)
  if (unreleased.test(readFileSync(start, 'utf8')))
    throw new Error("docs/start.md says that the packages aren't on npm: release.mjs removes that")
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
    'package.json and packages/*/package.json have the placeholder OWNER: run node scripts/release.mjs --repository owner/name first',
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
