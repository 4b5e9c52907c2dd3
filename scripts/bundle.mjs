/**
 * Bundles each published package for Node.js: one file per entry, chunks for shared code, and source maps. `tsc -b`
 * checks the types and writes the declarations. Then bundles the scripts of the example's pages, which include the
 * client.
 *
 * Loading one file is faster than loading 130; `npm run bench:footprint` measures the startup time and the installed
 * size. Shared code is loaded once, so an error has the same class from every entry.
 *
 * Unchanged packages are skipped. It takes a second, or a tenth of that if nothing has changed.
 */
import { randomUUID } from 'node:crypto'
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
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))

/**
 * Libraries that are bundled, with their licenses. Whatever parses input from outside, or holds what must stay true, is
 * a dependency instead, which `npm ls` and `npm audit` see and overrides replace.
 */
const bundled = ['@inquirer/password', 'uqr']
const licenses = 'THIRD-PARTY-LICENSES.txt'
const sbom = 'sbom.cdx.json'

/** All packages: vitest calls it before the tests, some of which run on the build. */
export default async function bundleChanged() {
  await bundlePackages(readdirSync(join(root, 'packages')).map((name) => `packages/${name}`))
}

/** Those of these folders that are published, in this order: packages/accounts first, whose schemas others have. */
async function bundlePackages(folders) {
  const packages = folders
    .map((name) => join(root, name))
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
      if (isBuiltin(id)) return true
      if (bundled.includes(id)) return false
      // A dependency of a bundled package.
      if (/[\\/]node_modules[\\/]/.test(importer)) return false
      if (known.some((name) => id === name || id.startsWith(`${name}/`))) return true
      throw new Error(`${folder} imports ${id}, which is not one of its dependencies`)
    },
  }
}

/** The scripts of the example's pages, with all imports, because browsers can't resolve package names. */
function pages(folder) {
  return {
    folder,
    src: join(folder, 'web'),
    dist: join(folder, 'dist/web'),
    entries: ['invite', 'mailbox', 'users'],
    platform: 'browser',
    external: [],
    madeOf: entriesOf(join(root, 'packages/client')).map((name) =>
      join(root, `packages/client/dist/${name}.js`),
    ),
  }
}

async function bundle({ folder, src, dist, entries, platform, external }, rolldown) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(src, `${entry}.ts`)])),
    cwd: folder,
    platform,
    external,
    plugins: [evaluatedSchemas(rolldown, dist)],
    onLog(level, log) {
      // On a busy machine it also warns of plugins that take long.
      if (level === 'warn' && log.code !== 'PLUGIN_TIMINGS') throw new Error(`${folder}: ${log.message}`)
    },
  })
  const { output } = await build.generate({
    sourcemap: platform === 'node',
    // They are in the declarations and the source maps.
    comments: { jsdoc: false },
    // The other entries share the code of index.ts, so it becomes a chunk itself.
    chunkFileNames: ({ name }) => `chunks/${name === 'src' ? 'plugin' : name}.js`,
  })
  await build.close()
  const files = new Map(output.map((file) => [file.fileName, file.code ?? file.source]))
  const sources = bundledFolders(output.flatMap((file) => file.moduleIds ?? []))
  const notices = sources.map(noticeOf).join('\n')
  if (notices !== '') files.set(licenses, notices)
  if (platform === 'node') {
    const { sbomOf } = await import('./sbom.mjs')
    files.set(sbom, sbomOf(manifest(folder), sources.map(manifest)))
  }
  // Entries last, so a new entry's chunks already exist.
  for (const [name, text] of [...files].reverse()) write(join(dist, name), text)
  for (const name of readdirSync(dist, { recursive: true })) {
    if (/\.(js|json|map|txt)$/.test(name) && !files.has(name.replaceAll('\\', '/'))) rmSync(join(dist, name))
  }
}

/**
 * Modules named schemas.ts, or in a folder schemas, only export what TypeBox makes of constants, alone or by name. That
 * is made here, so starting an app doesn't load TypeBox, 266 files that take a fifth of the start.
 */
function evaluatedSchemas(rolldown, dist) {
  return {
    name: 'evaluated-schemas',
    async load(id) {
      if (!/[\\/]schemas(?:[\\/][^\\/]+)?\.ts$/.test(id)) return
      const build = await rolldown({
        input: id,
        platform: 'node',
        external: (name) => !name.startsWith('.') && !isAbsolute(name),
      })
      const { output } = await build.generate()
      await build.close()
      // In dist, where it finds the dependencies of its package.
      const file = join(dist, `schemas.${randomUUID()}.mjs`)
      write(file, output[0].code)
      try {
        const schemas = await import(pathToFileURL(file).href)
        return Object.entries(schemas)
          .map(([name, value]) => `export const ${name} = ${literal(value)}\n`)
          .join('')
      } finally {
        rmSync(file)
      }
    },
  }
}

/** As JavaScript. TypeBox marks its schemas with symbols from the registry. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`
  if (typeof value === 'function') {
    throw new Error(`a module of schemas exports a function, ${value.name}: only constants can be evaluated`)
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const properties = Reflect.ownKeys(value).map((key) => {
    const name =
      typeof key === 'symbol' ? `[Symbol.for(${JSON.stringify(Symbol.keyFor(key))})]` : JSON.stringify(key)
    return `${name}:${literal(value[key])}`
  })
  return `{${properties.join()}}`
}

/** Keeps unreachable declarations, a quarter of them, out of the npm package. `tsc -b` may add some each time. */
function leaveOutTypes({ dist, entries }) {
  const reached = new Set(entries.map((entry) => join(dist, `${entry}.d.ts`)))
  // The set grows during the iteration.
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

/** The entries of package.json, as `index` or `cli/main`: dist/cli/main.js is built from src/cli/main.ts. */
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
  // Folders as well: their modification time changes when a file is removed.
  const sources = [src, ...readdirSync(src, { recursive: true }).map((name) => join(src, name))]
  const own = [script, join(root, 'scripts/sbom.mjs')]
  const others = [join(folder, 'package.json'), join(root, 'pnpm-lock.yaml'), ...own, ...madeOf]
  const newest = Math.max(...[...sources, ...others].map(timeOf))
  return newest >= Math.min(...built.map(timeOf))
}

/** The folders of the packages that the modules come from, each once. */
function bundledFolders(modules) {
  const folders = new Set(
    modules.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]),
  )
  folders.delete(undefined)
  return [...folders]
}

function noticeOf(folder) {
  const { name, version } = manifest(folder)
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) throw new Error(`${name} has no license file to include`)
  return `Parts of ${name} ${version} are in this folder. Its license:\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
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

if (process.argv[1] === script) {
  const folders = process.argv.slice(2)
  await (folders.length > 0 ? bundlePackages(folders) : bundleChanged())
}
