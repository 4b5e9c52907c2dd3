import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '@fastify-accounts/test-support/source'

/**
 * Whether a folder that is its own workspace, for one test, has its packages. They are installed in CI, and by hand
 * elsewhere, as a warning explains.
 * @param name the package to look for
 */
export function isInstalled(folder: string, name: string): boolean {
  if (existsSync(`${folder}/node_modules/${name}`)) return true
  const { packageManager } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const install = ['--yes', packageManager.split('+')[0], 'install', '--frozen-lockfile']
  if (process.env.CI) {
    execFileSync('npx', install, { cwd: folder, stdio: 'pipe' })
    return true
  }
  console.warn(`No ${name}: its tests are skipped (npx ${install.join(' ')} in ${relative(root, folder)})`)
  return false
}
