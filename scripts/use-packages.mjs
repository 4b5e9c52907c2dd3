import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOf } from './node-of.mjs'
import { run } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const pnpm = manifest(root).packageManager.split('+')[0]
const yarn = '@yarnpkg/cli-dist@4'
/** Kysely 0.29 needs Node.js 22; on 20, npm installs 0.28. */
const [olderKysely, newerKysely] = ['~0.28.19', '~0.29.0']
const nodes = ['20', '22', '24', '26']
/** The ends of what is supported, and each major version between. */
const compilers = ['5.6', '5.9', '6.0', '7.0']

/** What users install besides our packages. */
const besides = {
  fastify: manifest(join(root, 'packages/accounts')).peerDependencies.fastify,
  kysely: olderKysely,
  libsql: manifest(join(root, 'examples/server')).dependencies.libsql,
  '@simplewebauthn/browser': manifest(join(root, 'packages/client')).peerDependencies[
    '@simplewebauthn/browser'
  ],
}
const nodeTypes = { '@types/node': manifest(root).devDependencies['@types/node'] }

/** Files that users write. */
const files = join(root, 'scripts/consumers')

const strict = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: ['node'],
}

/**
 * Installs the packages into empty projects, with what their users install and nothing else, and uses them there.
 * @param folders of the packages
 * @param tarballs what they were packed into
 * @param work where the projects are made
 */
export async function usePackages(folders, tarballs, work) {
  const packages = folders.map((folder, at) => ({ ...manifest(folder), tarball: `file:${tarballs[at]}` }))
  const dependencies = Object.fromEntries(packages.map(({ name, tarball }) => [name, tarball]))
  const entries = packages.flatMap(({ name, exports }) =>
    Object.keys(exports)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => posix.join(name, path)),
  )
  const project = { dependencies, entries, work }
  await Promise.all([
    withNpm(project),
    withPnpm(project),
    withYarn(project),
    besideTypeBox(project),
    inFrontEnd(project),
  ])
}

/** The most common project, in every version of Node.js. */
async function withNpm({ dependencies, entries, work }) {
  const folder = make(work, 'npm', {
    dependencies: { ...besides, ...dependencies },
    devDependencies: nodeTypes,
  })
  await npmInstall(folder)
  writeAll(folder, entries)
  const elsewhere = ['fastify-accounts', '@fastify-accounts/kysely']
  for (const name of elsewhere) {
    cpSync(join(folder, 'node_modules', name), join(folder, 'elsewhere/node_modules', name), {
      recursive: true,
    })
  }
  cpSync(join(files, 'stores.mjs'), join(folder, 'elsewhere/stores.mjs'))
  await bundle(folder)
  const onNode = nodes.flatMap(async (version) => {
    const node = await nodeOf(version)
    for (const file of ['esm.mjs', 'commonjs.cjs', 'bundled.mjs']) {
      await use(`npm, Node.js ${version}`, node, [file], folder)
    }
  })
  const alone = entries.flatMap((entry, at) => [
    use(
      `import of ${entry}`,
      process.execPath,
      ['--input-type=module', '--eval', `await import('${entry}')`],
      folder,
    ),
    use(
      `require of ${entry}`,
      process.execPath,
      ['--input-type=commonjs', '--eval', `require('${entry}')`],
      folder,
    ),
    compile(`${entry} alone`, folder, { noEmit: true }, [`entry-${at}.mts`]),
  ])
  await Promise.all([
    ...onNode,
    ...alone,
    use('npm, stores of another copy', process.execPath, ['two-copies.mjs'], folder),
    use('npm, the command', 'npx', ['--no', 'fastify-accounts', 'secret'], folder),
    compile('npm, all entries and an app', folder, { outDir: 'compiled' }, ['entries.mts', 'app.mts']).then(
      () => use('npm, the compiled app', process.execPath, ['compiled/app.mjs'], folder),
    ),
    withCompilers(folder, work),
  ])
}

/** Other versions of TypeScript, in turn: each takes much memory. */
async function withCompilers(folder, work) {
  const aliases = compilers.map((version) => [`typescript-${version}`, `npm:typescript@~${version}.0`])
  const place = make(work, 'compilers', { dependencies: Object.fromEntries(aliases) })
  await npmInstall(place)
  for (const [name] of aliases) {
    const compiler = join(place, 'node_modules', name, 'bin/tsc')
    await compile(
      `npm, all entries and an app, ${name}`,
      folder,
      { noEmit: true },
      ['entries.mts', 'app.mts'],
      compiler,
    )
  }
}

/** A monorepo with isolated packages: what one of them imports must be among its own dependencies. */
async function withPnpm({ dependencies, entries, work }) {
  const folder = make(work, 'pnpm', {})
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'packages: [apps/*, packages/*]\n')
  const kysely = { kysely: newerKysely }
  make(folder, 'apps/web', {
    dependencies: { ...besides, ...kysely, ...dependencies, stores: 'workspace:*' },
    devDependencies: nodeTypes,
  })
  const name = '@fastify-accounts/kysely'
  make(folder, 'packages/stores', {
    name: 'stores',
    exports: './stores.mjs',
    dependencies: {
      [name]: dependencies[name],
      'fastify-accounts': dependencies['fastify-accounts'],
      ...kysely,
      libsql: besides.libsql,
    },
    peerDependencies: { fastify: besides.fastify },
  })
  cpSync(join(files, 'stores.mjs'), join(folder, 'packages/stores/stores.mjs'))
  await run('npx', ['--yes', pnpm, 'install', '--no-frozen-lockfile', '--engine-strict=false'], folder)
  const web = join(folder, 'apps/web')
  writeAll(web, entries)
  await bundle(web)
  const node = await nodeOf('24')
  await Promise.all([
    ...['esm.mjs', 'commonjs.cjs', 'bundled.mjs', 'monorepo.mjs'].map((file) =>
      use('pnpm, Kysely 0.29', node, [file], web),
    ),
    compile('pnpm, all entries and an app, Kysely 0.29', web, { noEmit: true }, ['entries.mts', 'app.mts']),
  ])
}

/** Yarn 4 with Plug'n'Play, which lets nobody import what they don't declare. */
async function withYarn({ dependencies, entries, work }) {
  const folder = make(work, 'yarn', { dependencies: { ...besides, ...dependencies } })
  writeFileSync(join(folder, 'yarn.lock'), '')
  writeAll(folder, entries)
  const settings = { YARN_ENABLE_IMMUTABLE_INSTALLS: '0', YARN_ENABLE_TELEMETRY: '0' }
  const command = (args) => run('npx', ['--yes', '-p', yarn, 'yarn', ...args], folder, settings)
  await command(['install'])
  await command([
    'node',
    '--input-type=module',
    '--eval',
    entries.map((entry) => `await import('${entry}')`).join('\n'),
  ])
  await command(['node', 'esm.mjs'])
  console.log("used with yarn, Plug'n'Play")
}

/** An app that writes schemas in TypeBox itself, with Fastify's type providers. */
async function besideTypeBox({ dependencies, work }) {
  const folder = make(work, 'typebox', {
    dependencies: {
      fastify: besides.fastify,
      'fastify-accounts': dependencies['fastify-accounts'],
      '@sinclair/typebox': '^0.34.0',
      typebox: '^1.1.14',
      'type-provider-34': 'npm:@fastify/type-provider-typebox@^5.2.0',
      'type-provider-1': 'npm:@fastify/type-provider-typebox@^6.0.0',
    },
    devDependencies: nodeTypes,
  })
  await npmInstall(folder)
  cpSync(join(files, 'type-providers.mts'), join(folder, 'type-providers.mts'))
  await compile('beside TypeBox 0.34 and 1', folder, { noEmit: true }, ['type-providers.mts'])
}

/** A project with only the client: no Node.js types. */
async function inFrontEnd({ dependencies, work }) {
  const name = '@fastify-accounts/client'
  const folder = make(work, 'front-end', { dependencies: { [name]: dependencies[name] } })
  await npmInstall(folder)
  const installed = readdirSync(join(folder, 'node_modules/@fastify-accounts'))
  if (installed.join() !== 'client') throw new Error(`the client installs ${installed.join()}`)
  cpSync(join(files, 'front-end.ts'), join(folder, 'front-end.ts'))
  const browser = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
  }
  await compile('the client alone, in a front end', folder, { ...browser, noEmit: true }, ['front-end.ts'])
}

function make(work, name, contents) {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...contents }))
  return folder
}

function npmInstall(folder) {
  return run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], folder)
}

/** The users' files, and modules that import the entries and say whether a type is lost. */
function writeAll(folder, entries) {
  for (const file of ['story.mjs', 'esm.mjs', 'commonjs.cjs', 'two-copies.mjs', 'monorepo.mjs', 'app.mts'])
    cpSync(join(files, file), join(folder, file))
  const typed = (entry, at) =>
    `import type * as module${at} from '${entry}'\nexport const lost${at}: never[] = [] as Lost<typeof module${at}>[]\n`
  const lost =
    'type Lost<Module> = { [Name in keyof Module]: 0 extends 1 & Module[Name] ? Name : never }[keyof Module]\n'
  for (const [at, entry] of entries.entries()) {
    writeFileSync(join(folder, `entry-${at}.mts`), lost + typed(entry, at))
  }
  writeFileSync(join(folder, 'entries.mts'), lost + entries.map(typed).join(''))
}

/** The app as one file, except the driver, which is native. */
async function bundle(folder) {
  const require = createRequire(join(root, 'packages/client/package.json'))
  const esbuild = join(dirname(require.resolve('esbuild/package.json')), 'bin/esbuild')
  const banner =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)"
  const flags = ['--bundle', '--platform=node', '--format=esm', '--external:libsql', `--banner:js=${banner}`]
  await run(esbuild, ['esm.mjs', '--outfile=bundled.mjs', '--log-level=warning', ...flags], folder)
}

async function compile(
  how,
  folder,
  options,
  names,
  compiler = join(root, 'node_modules/typescript/bin/tsc'),
) {
  const config = `${how.replaceAll(/\W+/g, '-')}.json`
  const tsconfig = { compilerOptions: { ...strict, ...options }, files: names }
  writeFileSync(join(folder, config), JSON.stringify(tsconfig))
  await use(`types: ${how}`, process.execPath, [compiler, '-p', config], folder)
}

async function use(how, command, args, folder) {
  await run(command, args, folder)
  console.log(`used with ${how}${args.length === 1 ? `: ${args[0]}` : ''}`)
}
