/**
 * The full setup on a machine with only Node.js and npm: installs the dependencies in pnpm-lock.yaml, then builds.
 * Each step is skipped if nothing has changed since the last time. Quiet on success.
 * With `--clean` it discards the previous build.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampFile = join(root, 'node_modules', '.setup-stamp')

checkNode()
if (process.argv.includes('--clean')) clean()
install()
build()

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Node.js 20.19 or later is required; this is ${process.versions.node}.`)
  }
}

function clean() {
  rmSync(stampFile, { force: true })
  for (const folder of memberFiles('tsconfig.json').map((file) => join(root, dirname(file)))) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    rmSync(join(folder, 'tsconfig.tsbuildinfo'), { force: true })
  }
}

function install() {
  const stamp = installStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const pnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('+')[0]
  console.log(`Installing with ${pnpm} (only when the lock file has changed)`)
  rmSync(stampFile, { force: true })
  run('npx', ['--yes', pnpm, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'])
  writeFileSync(stampFile, stamp)
}

/** Depends on everything that affects the installation. */
function installStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`)
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    ...memberFiles('package.json'),
  ]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function build() {
  // `tsc -b` trusts its own build info, not the folder: without this, a deleted dist would not be rebuilt.
  const gone = memberFiles('tsconfig.json').some((file) => !existsSync(join(root, dirname(file), 'dist')))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  run(process.execPath, [tsc, '-b', ...(gone ? ['--force'] : [])])
  run(process.execPath, [join(root, 'scripts', 'bundle.mjs')])
}

/** The file of this name in each package and example that has one. */
function memberFiles(name) {
  return ['examples', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((member) => `${folder}/${member}/${name}`)
      .filter((file) => existsSync(join(root, file)))
      .sort(),
  )
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
