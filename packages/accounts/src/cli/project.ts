import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyServerOptions } from 'fastify'
import type { AccountsOptions, UserStore, UsersOptions } from '../index.js'

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
  close(): Promise<void>
}

/** The module's exports, by name or as default. */
interface ConfigModule {
  options?: Partial<AccountsOptions>
  serverOptions?: FastifyServerOptions
  migrate?: () => Promise<string[]>
  close?: () => Promise<void>
}

const configNames = ['', 'src/'].flatMap((folder) =>
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
 * Opens the module named by `--config`, or `accounts.config.js` in the folder or its src/, or the database of
 * DATABASE_URL.
 * @throws Error of one line
 */
export async function openProject({ cwd, config, create = false }: Place): Promise<Project> {
  const found = config ?? configNames.find((name) => existsSync(join(cwd, name)))
  if (found !== undefined) return fromModule(cwd, found)
  const url = process.env.DATABASE_URL
  if (url !== undefined && url !== '') return fromDatabase(cwd, url, create)
  throw new Error(
    'no user store: set DATABASE_URL, write accounts.config.js (init does), or pass a module with --config',
  )
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
  if (/\.m?ts$/.test(path) && !Reflect.get(process.features, 'typescript')) {
    throw new Error(
      `${file}: this version of Node.js can't run TypeScript; pass the built file with --config, or use Node.js 22.18 or later`,
    )
  }
  let loaded: ConfigModule & { default?: ConfigModule }
  try {
    loaded = await import(pathToFileURL(path).href)
  } catch (error) {
    // TypeScript imports use the output's file names, which Node.js takes literally.
    const isTypeScript =
      /\.m?ts$/.test(path) &&
      /^Cannot find module .*\.m?js'/.test(String(Reflect.get(Object(error), 'message')))
    const hint = isTypeScript
      ? '; name the compiled file with --config, or import it with its .ts extension'
      : ''
    throw new Error(`${file} cannot be loaded${hint}`, { cause: error })
  }
  const { options, serverOptions, migrate, close } = { ...loaded.default, ...loaded }
  const userStore = options?.userStore
  if (options === undefined || userStore === undefined) {
    throw new Error(`${file} must export the plugin's options as options, with a userStore`)
  }
  return { source: file, options, serverOptions, userStore, migrate, close: async () => close?.() }
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
  migrate(db: object): Promise<string[]>
}

async function fromDatabase(cwd: string, url: string, create: boolean): Promise<Project> {
  const require = createRequire(join(cwd, 'package.json'))
  const name = '@fastify-accounts/kysely'
  const kysely: KyselyPackage = await import(pathToFileURL(find(require, name)).href)
  let db: ReturnType<KyselyPackage['openDatabase']>
  try {
    db = kysely.openDatabase(url, (driver) => require(driver), { create })
  } catch (error) {
    throw new Error('DATABASE_URL cannot be used', { cause: error })
  }
  const userStore = kysely.createKyselyUserStore({ db })
  return {
    source: 'DATABASE_URL',
    options: { userStore, sessionStore: kysely.createKyselySessionStore({ db }) },
    userStore,
    migrate: () => kysely.migrate(db),
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
