import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Where the example is copied to, with the client generated and the files that differ on this database. */
export function placeOf(dialect: Dialect): string {
  return join(folder, 'dist/variants', dialect)
}

export function schemaOf(dialect: Dialect): string {
  const schema = read('examples/prisma/prisma/schema.prisma')
  if (dialect === 'postgres') return schema
  return schema
    .replace('provider = "postgresql"', `provider = "${providers[dialect]}"`)
    .replace(/ @db\.\S+/g, '')
    .replace(/\n\/\/ Keys are compared.*\n.*\n(?:\/\/ {3}.*\n)*/, '')
}

export async function variantOf(dialect: Dialect): Promise<Variant> {
  const place = placeOf(dialect)
  const source = join(place, 'src')
  mkdirSync(source, { recursive: true })
  for (const name of readdirSync(join(folder, 'src'))) {
    if (name.endsWith('.ts')) cpSync(join(folder, 'src', name), join(source, name))
  }
  if (dialect !== 'postgres') cpSync(join(folder, dialect), source, { recursive: true })
  generate(place, schemaOf(dialect))
  const load = (name: string) => import(/* @vite-ignore */ join(source, `${name}.ts`))
  const [database, users, sessions, app, oldApi] = await Promise.all(
    ['database', 'user-store', 'session-store', 'app', 'old-api'].map(load),
  )
  return { ...database, ...users, ...sessions, ...app, ...oldApi, source }
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

/** Runs `prisma generate` if the schema or Prisma has changed since the last time. */
function generate(place: string, schema: string): void {
  const file = join(place, 'prisma/schema.prisma')
  const stampFile = join(place, 'stamp')
  const stamp = createHash('sha256')
    .update(schema)
    .update(readFileSync(join(dirname(bin), '../package.json')))
  const digest = stamp.digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return
  rmSync(stampFile, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, schema)
  runPrisma('generate', '--schema', file)
  writeFileSync(stampFile, digest)
}

/** Runs a command of Prisma's that needs no engine of its migrations, which it would download first all the same. */
export function runPrisma(...args: string[]): void {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
  execFileSync(process.execPath, [bin, ...args], { cwd: folder, env, stdio: 'pipe' })
}
