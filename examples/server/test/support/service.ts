import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '@fastify-accounts/kysely'
import { isFull } from '@fastify-accounts/test-support/depth'
import { openDoor } from '@fastify-accounts/test-support/door'
import { start, temporaryFolder } from '@fastify-accounts/test-support/example-server/server'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { readSettings, type Settings } from '../../src/config.js'

/** Imported by path: otherwise its types would declare the example's features and fields for every test. */
const source = fileURLToPath(new URL('../../src/app.ts', import.meta.url))

type Environment = Record<string, string>

/** The example server, for tests of its responses. */
export interface Service {
  url: string
  /** Stops it before the test ends. */
  stop(): Promise<void>
  /** Changes its database as another process would. */
  change(statement: RawBuilder<unknown>): Promise<void>
  makeStaff(username: string): Promise<void>
  giveRoles(username: string, roles: readonly string[]): Promise<void>
}

let hasRunAlone = false

/** Starts the server in this process; at full depth the first of a test file in a process of its own. */
export async function startService(
  environment: Environment = {},
  folder: string = temporaryFolder(),
): Promise<Service> {
  const isAlone = isFull && !hasRunAlone
  hasRunAlone = true
  const server = await (isAlone ? startProcess : startHere)(environment, folder)
  // With the app's driver: two copies of SQLite in a process don't see each other's locks, and the one that closes the file
  // takes the other's log of writes away.
  const change = async (statement: RawBuilder<unknown>) => {
    const database = openSqlite(`${folder}/data/accounts.db`)
    await statement.execute(database)
    await database.destroy()
  }
  const set = (column: string, value: number | string, username: string) =>
    change(sql`UPDATE accounts_users SET ${sql.ref(column)} = ${value}, version = version + 1
      WHERE username = ${username}`)
  return {
    ...server,
    change,
    makeStaff: (username) => set('is_staff', 1, username),
    giveRoles: (username, roles) => set('roles', JSON.stringify(roles), username),
  }
}

async function startProcess(
  environment: Environment,
  folder: string,
): Promise<Pick<Service, 'url' | 'stop'>> {
  const { url, process, ended } = await start(environment, folder)
  return {
    url,
    async stop() {
      process.kill('SIGKILL')
      await ended
    },
  }
}

async function startHere(environment: Environment, folder: string): Promise<Pick<Service, 'url' | 'stop'>> {
  const { buildApp } = (await import(source)) as { buildApp(settings: Settings): Promise<FastifyInstance> }
  const door = await openDoor()
  const settings = readSettings({
    PORT: '0',
    BASE_URL: `http://${environment.HOST ?? 'localhost'}:${door.port}`,
    DATABASE_URL: `file:${folder}/data/accounts.db`,
    SCRYPT: '10,8,1',
    LOG_LEVEL: 'silent',
    ...environment,
  })
  const app = await buildApp(settings)
  await app.listen({ host: settings.host, port: settings.port })
  door.leadTo((app.server.address() as AddressInfo).port)
  const stop = async () => {
    app.server.closeAllConnections()
    await app.close()
    await door.close()
  }
  onTestFinished(stop)
  return { url: `http://localhost:${door.port}`, stop }
}
