import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, UsageError } from '../command.js'
import { rootDirOf } from '../root-dir.js'
import { accountsConfig, accountsPlugin, type Flavor, installCommand, nextSteps } from '../templates.js'

export const init: Command = {
  name: 'init',
  summary: 'add accounts to the Fastify app in this folder; existing files are never changed',
  options: {
    database: {
      type: 'string',
      value: 'sqlite|postgres|mysql',
      description: 'where users are stored; sqlite by default',
    },
  },
  async run({ cwd, values }) {
    const database = values.database ?? 'sqlite'
    if (database !== 'sqlite' && database !== 'postgres' && database !== 'mysql') {
      throw new UsageError('--database must be sqlite, postgres or mysql')
    }
    const flavor = flavorOf(cwd)
    const folder = flavor === 'typescript' ? rootDirOf(cwd) : ''
    const ending = flavor === 'typescript' ? 'ts' : flavor === 'esm' ? 'js' : 'mjs'
    const files = {
      [`${folder}accounts.config.${ending}`]: accountsConfig(flavor, database),
      [`${folder}accounts.${flavor === 'commonjs' ? 'cjs' : ending}`]: accountsPlugin(flavor),
    }
    const taken = Object.keys(files).filter((name) => existsSync(join(cwd, name)))
    if (taken.length > 0) {
      throw new Error(
        `${taken.join(' and ')} already ${taken.length === 1 ? 'exists' : 'exist'}; nothing was written`,
      )
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      // Never overwrites a file that somebody else creates at the same moment.
      writeFileSync(join(cwd, name), text, { flag: 'wx' })
    }
    const lines = [
      ...Object.keys(files).map((name) => `wrote ${name}`),
      '',
      ...nextSteps(flavor, database, folder),
    ]
    const install = installCommand(flavor, database)
    return { lines, data: { flavor, database, files: Object.keys(files), install } }
  },
}

/** By tsconfig.json, or by the type in package.json. */
function flavorOf(cwd: string): Flavor {
  const file = join(cwd, 'package.json')
  if (!existsSync(file)) throw new Error('no package.json in this folder; run init in the folder of your app')
  let manifest: { type?: unknown }
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error('package.json cannot be read', { cause: error })
  }
  if (existsSync(join(cwd, 'tsconfig.json'))) return 'typescript'
  return manifest.type === 'module' ? 'esm' : 'commonjs'
}
