import { appendFileSync, readFileSync } from 'node:fs'
import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { cheapHasher, secret } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type Accounts,
  type AccountsOptions,
  type EventHandler,
  type SessionStore,
  type Subscriber,
  type UserStore,
} from 'fastify-accounts'

export interface Stores {
  users: UserStore
  sessions: SessionStore
}

/** The stores of one process, whose clock may be ahead, so the claims of a killed one have expired. */
export async function openStores(place: Place, aheadMs = 0): Promise<Stores & { close(): Promise<void> }> {
  const db = await connect(place)
  const stored = createKyselyUserStore({ db })
  const now = async () => new Date(((await stored.now?.()) ?? new Date()).getTime() + aheadMs)
  const users = { ...stored, now }
  const sessions = createKyselySessionStore({ db, userStore: stored })
  return {
    users,
    sessions: { ...sessions, ...(sessions.withUsers && { withUsers: { ...sessions.withUsers, users } }) },
    close: () => db.destroy(),
  }
}

/** An app that changes users, and tells its subscribers. */
export interface Service {
  app: FastifyInstance
  accounts: Accounts
}

/** @param mount apps of the same one deliver each other's events */
export async function startService(
  { users, sessions }: Stores,
  mount: string,
  on: Readonly<Record<string, Subscriber>>,
  options: Partial<AccountsOptions> = {},
): Promise<Service> {
  // Many start at once.
  const app = Fastify({ pluginTimeout: 0 })
  await app.register(accounts, {
    secret,
    baseUrl: 'http://localhost:3000',
    decorateAs: { instance: mount, request: `${mount}User` },
    users: { variant: 'user', fields: { type: 'object', properties: { team: { type: 'string' } } } },
    roles: { editor: ['posts:write'] },
    userStore: users,
    sessionStore: sessions,
    passwordHasher: cheapHasher(),
    throttle: false,
    session: { newDeviceMail: false },
    mailer: { send: async () => {} },
    on,
    ...options,
  })
  await app.ready()
  return { app, accounts: Reflect.get(app, mount) as Accounts }
}

/** An event as the ledger has it. */
export interface Line {
  mount: string
  subscriber: string
  id: string
  type: string
  userId: string | null
  version: number | null
}

/** A subscriber that appends each event to a file, which outlives `kill -9`. */
export function writesLedger(file: string, subscriber: string): { '*': EventHandler } {
  return {
    async '*'({ id, type, realm, user }) {
      const line: Line = {
        ...{ mount: realm, subscriber, id, type },
        ...{ userId: user?.id ?? null, version: user?.version ?? null },
      }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
  }
}

export function readLedger(file: string): Line[] {
  const text = readFileSync(file, 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)))
}
