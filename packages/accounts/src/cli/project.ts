import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyServerOptions } from 'fastify'
import type { AccountsOptions, TableDescription, UserStore, UsersOptions } from '../index.js'
import { UsageError } from './command.js'
import { loadModule } from './load-module.js'
import { rootDirOf } from './root-dir.js'
import type { Dialect } from './schema/dialect.js'
import type { LiveTable } from './schema/live.js'

/** The project of a command: the stores of the app in this folder. */
export interface Project {
  /** Where the stores come from: the path of the module, or `DATABASE_URL`. */
  source: string
  /** The options with which the app registers the plugin, as far as known here. */
  options: Partial<AccountsOptions>
  /** The app's server options; absent if the module doesn't export them. */
  serverOptions?: FastifyServerOptions | undefined
  userStore: UserStore
  /** Creates the tables; absent if the module has no such function. */
  migrate?: (() => Promise<string[]>) | undefined
  /**
   * Asked before users are created or deleted.
   * @throws Error of one line if the app has `alongside`, which its database alone doesn't reveal
   */
  assertWhole(): Promise<void>
  close(): Promise<void>
}

/** The module's exports, by name or as default. */
interface ConfigModule {
  options?: Partial<AccountsOptions>
  serverOptions?: FastifyServerOptions
  migrate?: () => Promise<string[]>
  close?: () => Promise<void>
}

/** Where `init` may have written it. */
const configNames = (cwd: string): string[] =>
  [...new Set(['', 'src/', rootDirOf(cwd)])].flatMap((folder) =>
    ['js', 'mjs', 'cjs', 'ts', 'mts'].map((ending) => `${folder}accounts.config.${ending}`),
  )

/** Where a command looks for its project. */
export interface Place {
  cwd: string
  /** The value of `--config`. */
  config: string | undefined
  /** Whether to create a missing SQLite file. */
  create?: boolean
}

/**
 * Opens the module named by `--config`, or `accounts.config.js` in the folder, its src/ or the `rootDir` of
 * its tsconfig.json, or the database of DATABASE_URL.
 * @throws Error of one line
 */
export async function openProject({ cwd, config, create = false }: Place): Promise<Project> {
  const found = await findProject({ cwd, config })
  if (found !== null) return found
  const url = process.env.DATABASE_URL
  if (url !== undefined && url !== '') return fromDatabase(cwd, url, create)
  throw new Error(
    'no user store: set DATABASE_URL, write accounts.config.js (init does), or pass a module with --config',
  )
}

/**
 * Opens the module only; `null` if there is none.
 * @throws Error of one line
 */
export async function findProject({ cwd, config }: Place): Promise<Project | null> {
  const found = config ?? configNames(cwd).find((name) => existsSync(join(cwd, name)))
  return found === undefined ? null : fromModule(cwd, found)
}

/** `decorateAs.instance`, with its default. */
export function mountOf({ decorateAs }: Pick<Partial<AccountsOptions>, 'decorateAs'>): string {
  return decorateAs?.instance ?? 'accounts'
}

/** `users.names`, with its default. */
export function namesOf({ users }: Partial<AccountsOptions>): NonNullable<UsersOptions['names']> {
  return (typeof users === 'object' ? users.names : undefined) ?? 'required'
}

/** Runs with the project, and closes it in any case. */
export async function withProject<T>(place: Place, work: (project: Project) => Promise<T>): Promise<T> {
  const project = await openProject(place)
  try {
    return await work(project)
  } finally {
    await project.close()
  }
}

async function fromModule(cwd: string, file: string): Promise<Project> {
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw new Error(`${file} does not exist`)
  const loaded = await loadModule<ConfigModule & { default?: ConfigModule }>(cwd, file)
  const { options, serverOptions, migrate, close } = { ...loaded.default, ...loaded }
  const userStore = options?.userStore
  if (options === undefined || userStore === undefined) {
    throw new Error(`${file} must export the plugin's options as options, with a userStore`)
  }
  return {
    source: file,
    options,
    serverOptions,
    userStore,
    migrate,
    assertWhole: async () => {},
    close: async () => close?.(),
  }
}

/** The part of @fastify-accounts/kysely in use. It is the project's copy, not ours. */
interface KyselyPackage {
  openDatabase(
    url: string,
    load: (driver: string) => unknown,
    options: { create: boolean },
  ): { destroy(): Promise<void> }
  createKyselyUserStore(options: object): UserStore
  createKyselySessionStore(options: object): NonNullable<AccountsOptions['sessionStore']>
  createKyselyInvitationStore(options: object): NonNullable<AccountsOptions['invitationStore']>
  expectsAlongside(db: object): Promise<boolean>
  migrate(db: object): Promise<string[]>
  describeTables(): TableDescription[]
  readTable(db: object, table: string): Promise<LiveTable | null>
  surveyUsers(db: object, table: string, columns: Partial<Record<string, string>>): Promise<UsersSurvey>
  fillKeys(
    db: object,
    naming: UsersSurvey['naming'],
  ): Promise<{ filled: number; left: string[]; locked: string[] }>
}

/** What @fastify-accounts/kysely finds of an existing table of users; see there. */
export interface UsersSurvey {
  engine: Dialect
  naming: { tables: object; columns: object }
  table: TableDescription
  undecided: string[]
  missing: Pick<TableDescription, 'columns' | 'indexes'>
  times: { name: string; type: string; isNullable: boolean; isOptional: boolean }[]
  loosened: { name: string; type: string; isNullable: boolean }[]
  mended: string[]
  nulls: { column: string; name: string; as: string | undefined; count: number }[]
  dates: string[]
  references: string[]
  unfilled: number
  keyless: Partial<Record<string, number>> & { total: number }
  users: number
  inactive: number
  obstacles: string[]
  unverified: number
  mayVerify: string[]
  locks: { name: string; choice: string | null }[]
}

/** Runs with the database of DATABASE_URL, and the package that the app uses on it. @throws Error of one line */
export async function withDatabase<T>(
  cwd: string,
  work: (kysely: KyselyPackage, db: object) => Promise<T>,
): Promise<T> {
  const url = process.env.DATABASE_URL
  if (url === undefined || url === '') throw new UsageError('set DATABASE_URL to the database with the table')
  const { kysely, db } = await openKysely(cwd, url, false)
  try {
    return await work(kysely, db)
  } finally {
    await db.destroy()
  }
}

export const kyselyPackage = '@fastify-accounts/kysely'

/** The tables that the stores of the project's copy of a package need; `null` if it isn't installed. */
export async function describedBy(name: string, cwd: string): Promise<TableDescription[] | null> {
  let path: string
  try {
    path = createRequire(join(cwd, 'package.json')).resolve(name)
  } catch {
    return null
  }
  const stores: Pick<KyselyPackage, 'describeTables'> = await import(pathToFileURL(path).href)
  return stores.describeTables()
}

async function openKysely(cwd: string, url: string, create: boolean) {
  const require = createRequire(join(cwd, 'package.json'))
  const kysely: KyselyPackage = await import(pathToFileURL(find(require, kyselyPackage)).href)
  let db: ReturnType<KyselyPackage['openDatabase']>
  try {
    db = kysely.openDatabase(url, (driver) => require(driver), { create })
  } catch (error) {
    throw new Error('DATABASE_URL cannot be used', { cause: error })
  }
  return { kysely, db }
}

async function fromDatabase(cwd: string, url: string, create: boolean): Promise<Project> {
  const { kysely, db } = await openKysely(cwd, url, create)
  const userStore = kysely.createKyselyUserStore({ db })
  return {
    source: 'DATABASE_URL',
    options: {
      userStore,
      sessionStore: kysely.createKyselySessionStore({ db }),
      invitationStore: kysely.createKyselyInvitationStore({ db, userStore }),
    },
    userStore,
    migrate: () => kysely.migrate(db),
    async assertWhole() {
      if (await kysely.expectsAlongside(db))
        throw new Error(
          "the app of this database keeps rows of its own beside users (alongside), which DATABASE_URL doesn't reveal: pass its options with --config",
        )
    },
    close: () => db.destroy(),
  }
}

function find(require: NodeJS.Require, name: string): string {
  try {
    return require.resolve(name)
  } catch (error) {
    throw Object.assign(new Error(`DATABASE_URL needs a package in this project: npm install ${name}`), {
      code: (error as NodeJS.ErrnoException).code,
    })
  }
}
