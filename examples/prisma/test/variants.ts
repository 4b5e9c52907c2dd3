import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { read, root } from '@fastify-accounts/test-support/source'
import type { FastifyInstance } from 'fastify'
import type { AccountsOptions, SessionStore, UserStore } from 'fastify-accounts'

export type Dialect = 'postgres' | 'sqlite'

/** The example's modules. Its types are checked with the client that Prisma generates, which the build doesn't have. */
export interface Variant {
  openDatabase(url: string): { prisma: { $disconnect(): Promise<void> } }
  createUserStore(database: ReturnType<Variant['openDatabase']>): UserStore
  createSessionStore(database: ReturnType<Variant['openDatabase']>, userStore: UserStore): SessionStore
  /** The folder of its sources. */
  source: string
  buildApp: Build
  buildOldApi: Build
}

type Build = (
  url: string,
  options: Pick<AccountsOptions, 'secret' | 'baseUrl' | 'mailer' | 'passwordHasher'>,
) => Promise<FastifyInstance>

const folder = join(root, 'examples/prisma')
const providers: Record<Dialect, string> = { postgres: 'postgresql', sqlite: 'sqlite' }
const bin = join(folder, 'node_modules/prisma/build/index.js')

export function schemaOf(dialect: Dialect): string {
  const schema = read('examples/prisma/prisma/schema.prisma')
  if (dialect === 'postgres') return schema
  return schema
    .replace('provider = "postgresql"', `provider = "${providers[dialect]}"`)
    .replace(/ @db\.\S+/g, '')
    .replace(/\n\/\/ Keys are compared.*\n.*\n(?:\/\/ {3}.*\n)*/, '')
}

export async function variantOf(dialect: Dialect): Promise<Variant> {
  const source = join(placeOf(dialect), 'src')
  const load = (name: string) => import(/* @vite-ignore */ join(source, `${name}.ts`))
  const [database, users, sessions, app, oldApi] = await Promise.all(
    ['database', 'user-store', 'session-store', 'app', 'old-api'].map(load),
  )
  return { ...database, ...users, ...sessions, ...app, ...oldApi, source }
}

/**
 * A copy of the example with the client generated, and the files that differ on this database. Several test files may make
 * it at the same time, so it gets its name, of a digest of what is in it, once it is whole.
 */
function placeOf(dialect: Dialect): string {
  const files = filesOf(dialect)
  const digest = createHash('sha256')
    .update(JSON.stringify(files))
    .update(readFileSync(join(dirname(bin), '../package.json')))
    .digest('hex')
  const place = join(folder, 'dist/variants', `${dialect}-${digest.slice(0, 16)}`)
  if (existsSync(place)) return place
  mkdirSync(dirname(place), { recursive: true })
  const making = mkdtempSync(`${place}-`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(making, name)), { recursive: true })
    writeFileSync(join(making, name), text)
  }
  runPrisma('generate', '--schema', join(making, 'prisma/schema.prisma'))
  try {
    renameSync(making, place)
  } catch (error) {
    if (!existsSync(place)) throw error
    rmSync(making, { recursive: true })
  }
  return place
}

/** Texts by path. */
function filesOf(dialect: Dialect): Record<string, string> {
  const files = { 'prisma/schema.prisma': schemaOf(dialect) }
  for (const from of dialect === 'postgres' ? ['src'] : ['src', dialect]) {
    for (const name of readdirSync(join(folder, from)).filter((each) => each.endsWith('.ts')))
      Object.assign(files, { [`src/${name}`]: patient(read(`examples/prisma/${from}/${name}`)) })
  }
  return files
}

/**
 * With time limits ten times as long: a busy machine may stall for longer than an app should wait, which says nothing
 * about a law.
 */
function patient(source: string): string {
  return source.replace(/\b(?:3000|3500|4000)\b/g, (limit) => `${limit}0`)
}

/** The statements of the first migration: those that Prisma writes, and those to append. */
export function firstMigration(dialect: Dialect, url: string): string[] {
  const file = join(placeOf(dialect), 'prisma/schema.prisma')
  const appended = [...readFileSync(file, 'utf8').matchAll(/^\/\/ {3}(alter table .*;)$/gm)]
  return [...migrationOf(dialect, url, file), ...appended.map(([, statement = '']) => statement)]
}

/** The statements of the first migration that Prisma writes for the models in a file. */
export function migrationOf(dialect: Dialect, url: string, file: string): string[] {
  const script = join(folder, 'test/migration.mjs')
  return execFileSync(process.execPath, [script, dialect, url, file], { encoding: 'utf8' })
    .replace(/^--.*\n/gm, '')
    .split(/;\n|;$/)
    .filter((statement) => statement.trim() !== '')
}

/** Runs a command of Prisma's that needs no engine of its migrations, which it would download first all the same. */
export function runPrisma(...args: string[]): void {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  execFileSync(process.execPath, [bin, ...args], { cwd: folder, env, stdio: 'pipe' })
}
