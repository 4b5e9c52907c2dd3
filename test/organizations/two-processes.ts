import { randomUUID } from 'node:crypto'
import { migrate } from '@fastify-accounts/kysely'
import type { Membership } from '@fastify-accounts/organizations'
import { connect, type DriverName, makeDatabase } from '@fastify-accounts/test-support/databases'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { tasks } from './process.js'
import {
  logIn,
  makeUser,
  openStores,
  type Places,
  type Service,
  type Stores,
  startService,
} from './service.js'

/** A request to one of two other processes. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  cookie: string
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: as each route has it
  body: any
}

/** Somebody who is logged in. */
export interface Person {
  id: string
  username: string
  cookie: string
}

/** Two processes on one database, and a service on it in this process. */
export interface Ground extends Service {
  stores: Stores
  ports: readonly number[]
  /** With roles of the mount: may disable and delete users, and manage every organization. */
  staff: Person
  send(at: number, request: Request): Promise<Answer>
  /** Both at the same moment; which process gets which changes with the turn. */
  sendBoth(turn: number, first: Request, second: Request): Promise<[Answer, Answer]>
  person(): Promise<Person>
  /** A new organization with these members, whose first is an owner. */
  organization(...members: readonly (readonly [person: Person, ...roles: string[]])[]): Promise<string>
  membership(organization: string, of: Person): Promise<Membership | null>
  close(): Promise<void>
}

const processFile = new URL('process.ts', import.meta.url)

export async function openGround(driver: DriverName): Promise<Ground> {
  const { place, drop } = await makeDatabase(driver)
  const db = await connect(place)
  await migrate(db)
  await db.destroy()
  const stores = await openStores({ users: place })
  const service = await startService(stores)
  const processes: Processes<keyof typeof tasks, Places> = await startProcesses(processFile, 2)
  const ports = await processes.race<number>('serve', { users: place })
  const { organizations } = service.app.accounts

  async function send(at: number, { method, path, body, cookie }: Request): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${ports[at]}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json().catch(() => null) }
  }
  async function person(roles: string[] = []): Promise<Person> {
    const username = `u${randomUUID().slice(0, 12)}`
    const id = await makeUser(service, username, roles)
    return { id, username, cookie: await logIn(service, username) }
  }
  return {
    ...service,
    ...{ stores, ports, send, person, staff: await person(['chief']) },
    sendBoth: (turn, first, second) => Promise.all([send(turn % 2, first), send((turn + 1) % 2, second)]),
    async organization(first, ...others) {
      const slug = `o${randomUUID().slice(0, 12)}`
      const { id } = await organizations.create({ name: 'Acme', slug, ownerId: first[0].id })
      for (const [{ id: userId }, ...roles] of others) await organizations.addMember(id, userId, roles)
      return id
    },
    membership: async (id, { id: userId }) =>
      (await stores.organizations.findFor({ id }, userId))?.membership ?? null,
    async close() {
      await processes.stop()
      await service.app.close()
      await stores.disconnect()
      await drop()
    },
  }
}
