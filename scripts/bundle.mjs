/**
 * Makes what Node.js loads of each package that is published: a file for each entry, chunks for what entries share, a
 * source map beside each. The types beside them are written by `tsc -b`, which also checks them. Then the scripts of the
 * example's pages, which have the client in them.
 *
 * One file is read and linked faster than 130: the 262 of Kysely take ten times as long as what is made of them here. Of
 * the 266 of TypeBox only the 30 that are used come along, of otpauth only what makes codes; `npm run bench:footprint`
 * measures the start and what is installed. What entries share is loaded once, so that the class of an error is the same
 * whichever entry it comes from.
 *
 * A package that has not changed since it was bundled is left as it is: this takes a second, or a tenth of one.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))

/** What becomes part of a package instead of being installed with it: its license must go with it. */
const bundled =
  '@inquirer/password @sinclair/typebox csv-parse kysely negotiator otpauth p-retry uqr uuid'.split(' ')
/** Except if a module imports the app's own copy. */
const apps = { 'dialects.ts': 'kysely' }
const licenses = 'THIRD-PARTY-LICENSES.txt'

/** Also what vitest calls before the tests, of which some run on what was built. */
export default async function bundleChanged() {
  const packages = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && !manifest(folder).private)
  let rolldown
  // The pages last: they include the bundled client package.
  for (const target of [...packages.map(published), pages(join(root, 'examples/server'))]) {
    if (hasChanged(target)) {
      rolldown ??= (await import('rolldown')).rolldown
      await bundle(target, rolldown)
    }
    if (target.platform === 'node') leaveOutTypes(target)
  }
}

/** A package as Node.js loads it. */
function published(folder) {
  const known = dependenciesOf(folder)
  return {
    folder,
    src: join(folder, 'src'),
    dist: join(folder, 'dist'),
    entries: entriesOf(folder),
    platform: 'node',
    external(id, importer = '') {
      if (id.startsWith('.') || isAbsolute(id)) return false
      if (isBuiltin(id) || apps[basename(importer)] === id) return true
      if (bundled.includes(id)) return false
      // What a bundled package needs.
      if (/[\\/]node_modules[\\/]/.test(importer)) return false
      if (known.some((name) => id === name || id.startsWith(`${name}/`))) return true
      throw new Error(`${folder} imports ${id}, which is none of its dependencies`)
    },
  }
}

/** The scripts of the example's pages, with all that they import: a browser finds no package by its name. */
function pages(folder) {
  return {
    folder,
    src: join(folder, 'web'),
    dist: join(folder, 'dist/web'),
    entries: ['account', 'entrance', 'mailbox', 'users'],
    platform: 'browser',
    external: [],
    madeOf: ['index', 'passkeys', 'providers'].map((name) => join(root, `packages/client/dist/${name}.js`)),
  }
}

async function bundle({ folder, src, dist, entries, platform, external }, rolldown) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(src, `${entry}.ts`)])),
    cwd: folder,
    platform,
    external,
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${folder}: ${log.message}`)
    },
  })
  const { output } = await build.generate({
    sourcemap: platform === 'node',
    // Those are in the types and the source maps, too.
    comments: { jsdoc: false },
    // What index.ts has is shared with the other entries, so that it is a chunk itself.
    chunkFileNames: ({ name }) => `chunks/${name === 'src' ? 'plugin' : name}.js`,
  })
  await build.close()
  const files = new Map(output.map((file) => [file.fileName, file.code ?? file.source]))
  const notices = noticesOf(output.flatMap((file) => file.moduleIds ?? []))
  if (notices !== '') files.set(licenses, notices)
  // Entries last: a reader of a new entry finds its chunks.
  for (const [name, text] of [...files].reverse()) write(join(dist, name), text)
  for (const name of readdirSync(dist, { recursive: true })) {
    if (/\.(js|map|txt)$/.test(name) && !files.has(name.replaceAll('\\', '/'))) rmSync(join(dist, name))
  }
}

/** Has npm pack no types that no entry leads to: a quarter of them. Every time, because `tsc -b` may write others. */
function leaveOutTypes({ dist, entries }) {
  const reached = new Set(entries.map((entry) => join(dist, `${entry}.d.ts`)))
  // The set grows while it is walked.
  for (const file of reached) {
    if (!existsSync(file)) continue
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.\.?\/[^'"]+)\.js['"]/g)) {
      reached.add(join(dirname(file), `${path}.d.ts`))
    }
  }
  const others = readdirSync(dist, { recursive: true }).filter(
    (name) => name.endsWith('.d.ts') && !reached.has(join(dist, name)),
  )
  write(join(dist, '.npmignore'), others.map((name) => `/${name.replaceAll('\\', '/')}\n`).join(''))
}

/** Those of package.json, as `index` or `cli/main`: dist/cli/main.js is made of src/cli/main.ts. */
function entriesOf(folder) {
  const { bin = {}, exports } = manifest(folder)
  return [...Object.values(exports).map((entry) => entry.default ?? entry), ...Object.values(bin)]
    .map((file) => /^\.\/dist\/(.+)\.js$/.exec(file)?.[1])
    .filter((entry) => entry !== undefined)
}

function dependenciesOf(folder) {
  const { dependencies, peerDependencies } = manifest(folder)
  return Object.keys({ ...dependencies, ...peerDependencies })
}

function hasChanged({ folder, src, dist, entries, madeOf = [] }) {
  const built = entries.map((entry) => join(dist, `${entry}.js`))
  if (!built.every((file) => existsSync(file))) return true
  // The folders too: their modification time changes when a file is removed.
  const sources = [src, ...readdirSync(src, { recursive: true }).map((name) => join(src, name))]
  const others = [join(folder, 'package.json'), join(root, 'pnpm-lock.yaml'), script, ...madeOf]
  const newest = Math.max(...[...sources, ...others].map(timeOf))
  return newest >= Math.min(...built.map(timeOf))
}

/** The licenses of packages that modules come from, each once. */
function noticesOf(modules) {
  const folders = new Set(
    modules.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]),
  )
  folders.delete(undefined)
  return [...folders]
    .map((folder) => {
      const { name, version } = manifest(folder)
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
      if (file === undefined) throw new Error(`${name} has no license that could go with it`)
      return `Parts of ${name} ${version} are in this folder. Its license:\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join('\n')
}

/** Atomically: another process may be loading the previous file. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, text)
  renameSync(beside, file)
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function timeOf(file) {
  return statSync(file).mtimeMs
}

if (process.argv[1] === script) await bundleChanged()
