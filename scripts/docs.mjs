/**
 * The documentation site: `npm run docs` serves it and watches for changes, `npm run docs:build` writes site/dist.
 * The site's dependencies are installed separately, on first use. Further arguments go to VitePress.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const site = join(root, 'site')
const installed = join(site, 'node_modules', '.pnpm', 'lock.yaml')

// pnpm keeps a copy of the installed lock file.
if (!existsSync(installed) || !readFileSync(join(site, 'pnpm-lock.yaml')).equals(readFileSync(installed))) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log("Installing the site's dependencies (only when its lock file has changed)")
  run('npx', ['--yes', packageManager.split('+')[0], 'install', '--frozen-lockfile', '--reporter=silent'])
}
// The reference is generated from the types and comments of the packages' exports.
run(process.execPath, [join(site, 'node_modules', 'typedoc', 'bin', 'typedoc'), '--options', 'typedoc.json'])
await import(pathToFileURL(join(site, 'reference.js'))).then(({ tidyReference }) =>
  tidyReference(join(site, 'api')),
)
const vitepress = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const [command = 'dev', ...rest] = process.argv.slice(2)
run(process.execPath, [vitepress, command, '.', ...rest])

function run(file, args) {
  const { status } = spawnSync(file, args, {
    cwd: site,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
