import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, UsageError } from '../command.js'
import { accountsConfig, accountsPlugin, type Flavour, usageOf } from '../templates.js'

export const init: Command = {
  name: 'init',
  summary: 'write accounts into the Fastify app in this folder; no file that is there is changed',
  options: {
    database: {
      type: 'string',
      value: 'sqlite|postgres|mysql',
      description: 'what users are kept in; sqlite by default',
    },
  },
  async run({ cwd, values }) {
    const database = values.database ?? 'sqlite'
    if (database !== 'sqlite' && database !== 'postgres' && database !== 'mysql') {
      throw new UsageError('--database must be sqlite, postgres or mysql')
    }
    const flavour = flavourOf(cwd)
    const folder = flavour === 'typescript' && existsSync(join(cwd, 'src')) ? 'src/' : ''
    const ending = flavour === 'typescript' ? 'ts' : flavour === 'esm' ? 'js' : 'mjs'
    const files = {
      [`${folder}accounts.config.${ending}`]: accountsConfig(flavour, database),
      [`${folder}accounts.${flavour === 'commonjs' ? 'cjs' : ending}`]: accountsPlugin(flavour),
    }
    const taken = Object.keys(files).filter((name) => existsSync(join(cwd, name)))
    if (taken.length > 0) {
      const are = taken.length === 1 ? 'is' : 'are'
      throw new Error(`${taken.join(' and ')} ${are} there already; nothing was written`)
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      // Where somebody makes the file at the same moment, theirs stays.
      writeFileSync(join(cwd, name), text, { flag: 'wx' })
    }
    const install = `npm install fastify fastify-accounts @fastify-accounts/kysely @fastify-accounts/nodemailer kysely ${drivers[database]}`
    const lines = [
      ...Object.keys(files).map((name) => `wrote ${name}`),
      '',
      ...usageOf(flavour, folder, install),
    ]
    return { lines, data: { flavour, database, files: Object.keys(files), install } }
  },
}

const drivers = { sqlite: 'libsql', postgres: 'pg', mysql: 'mysql2' }

/** By tsconfig.json, or by the type in package.json. */
function flavourOf(cwd: string): Flavour {
  const file = join(cwd, 'package.json')
  if (!existsSync(file)) throw new Error('there is no package.json in this folder: run it where your app is')
  let manifest: { type?: unknown }
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error('package.json cannot be read', { cause: error })
  }
  if (existsSync(join(cwd, 'tsconfig.json'))) return 'typescript'
  return manifest.type === 'module' ? 'esm' : 'commonjs'
}
