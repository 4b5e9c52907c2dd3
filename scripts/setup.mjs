/**
 * The setup on a machine with only Node.js and npm: installs the dependencies in pnpm-lock.yaml, then builds. Each step
 * is skipped if nothing has changed since the last time. Quiet on success.
 *
 * `node scripts/setup.mjs [example | all] [--clean]`: `example` is what `npm start` needs. Without it, all but the
 * examples on ORMs, which weigh as much as the rest. What is installed stays. `--clean` discards the previous build.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))
const stampFile = join(root, 'node_modules', '.setup-stamp')
const withOrms = ['drizzle', 'drizzle-store', 'mongoose', 'prisma'].map((name) => `examples/${name}`)

/**
 * The members of the workspace that each scope installs and builds, from the least to the most. pnpm always installs the
 * root as well, so what only tests and checks need is in packages/test-support.
 */
const scopes = {
  example: dependenciesOf('examples/server'),
  tests: members().filter((member) => !withOrms.includes(member)),
  all: members(),
}

/** Exits with an error if something fails. */
function setUp(scope = 'tests') {
  checkNode()
  install(scope)
  build(scopes[scope])
}

/** Vitest calls it before tests of the examples on ORMs, on any version of Node.js. */
export default function setUpOrms() {
  if (!withOrms.every((folder) => existsSync(join(root, folder, 'node_modules')))) setUp('all')
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Node.js 20.19 or later is required; this is ${process.versions.node}.`)
  }
}

function clean() {
  rmSync(stampFile, { force: true })
  for (const folder of scopes.all.map((member) => join(root, member))) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    rmSync(join(folder, 'tsconfig.tsbuildinfo'), { force: true })
  }
}

/** A larger scope has what a smaller one needs. */
function isInstalled(scope) {
  if (!existsSync(stampFile)) return false
  const names = Object.keys(scopes)
  return names.slice(names.indexOf(scope)).some((name) => readFileSync(stampFile, 'utf8') === stampOf(name))
}

function install(scope) {
  if (isInstalled(scope)) return
  const pnpm = manifest('.').packageManager.split('+')[0]
  console.log(`Installing with ${pnpm} (only when the lock file has changed)`)
  rmSync(stampFile, { force: true })
  const filters = scope === 'all' ? [] : scopes[scope].map((member) => `--filter=${manifest(member).name}`)
  const options = ['--frozen-lockfile', '--config.confirm-modules-purge=false']
  run('npx', ['--yes', pnpm, ...filters, 'install', ...options])
  writeFileSync(stampFile, stampOf(scope))
}

/** Depends on everything that affects the installation. */
function stampOf(scope) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`)
  const manifests = ['.', ...scopes.all].map((each) => `${each}/package.json`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests])
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  return `${scope} ${hash.digest('hex')}`
}

function build(folders) {
  const projects = folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
  // `tsc -b` trusts its own build info, not the folder: without this, a deleted dist would not be rebuilt.
  const gone = projects.some((folder) => !existsSync(join(root, folder, 'dist')))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [tsc, '-b', ...(gone ? ['--force'] : []), ...projects])
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs'), ...projects])
}

/** The packages and examples. */
function members() {
  const folders = ['examples', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  )
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort()
}

/** A member, and those that it needs to be built. Those of these only bring what they need at runtime. */
function dependenciesOf(member) {
  const folders = new Map(members().map((folder) => [manifest(folder).name, folder]))
  const found = new Set([member])
  // The set grows during the iteration.
  for (const each of found) {
    const { dependencies, peerDependencies, devDependencies } = manifest(each)
    const names = { ...dependencies, ...peerDependencies, ...(each === member ? devDependencies : {}) }
    for (const name of Object.keys(names)) if (folders.has(name)) found.add(folders.get(name))
  }
  return [...found].sort()
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

/** Runs a command at the root; its output is shown only if it fails. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npx',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
  if (status === 0) return
  stop(
    `${stdout ?? ''}${stderr ?? ''}\nSetup failed: ${[command, ...args].join(' ')}${error ? ` (${error.message})` : ''}`,
  )
}

function stop(message) {
  console.error(message.trim())
  process.exit(1)
}

if (process.argv[1] === script) {
  const [scope, ...rest] = process.argv.slice(2).filter((argument) => argument !== '--clean')
  if (rest.length > 0 || (scope !== undefined && !(scope in scopes))) {
    stop(`Usage: node scripts/setup.mjs [${Object.keys(scopes).join(' | ')}] [--clean]`)
  }
  if (process.argv.includes('--clean')) clean()
  setUp(scope)
}
