import { baseUrl, cheapHasher, goodPassword, outbox, secret } from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, expectTypeOf, test } from 'vitest'
import accounts, {
  type Accounts,
  type AccountsOptions,
  type AccountUser,
  createMemorySessionStore,
  createMemoryUserStore,
  type UserStore,
} from '../src/index.js'

interface Customer {
  street: string
}
interface Clerk {
  department: 'sales' | 'support'
}

declare module 'fastify' {
  interface FastifyInstance {
    customers: Accounts<Customer>
    clerks: Accounts<Clerk>
  }
  interface FastifyRequest {
    customer: AccountUser<Customer> | null
    clerk: AccountUser<Clerk> | null
  }
}

/** A store with numeric ids, so two of them have users with the same id. */
function serialStore(): UserStore {
  const store = createMemoryUserStore()
  const ids = new Map<string, string>()
  const outer = (id: string) => [...ids].find(([, inner]) => inner === id)?.[0] ?? id
  return {
    ...store,
    async create(user) {
      const created = await store.create(user)
      const id = String(ids.size + 1)
      ids.set(id, created.id)
      return { ...created, id }
    },
    async findById(id) {
      const found = await store.findById(ids.get(id) ?? id)
      return found && { ...found, id: outer(found.id) }
    },
    async findByUsername(key) {
      const found = await store.findByUsername(key)
      return found && { ...found, id: outer(found.id) }
    },
    async update(id, changes, version) {
      const changed = await store.update(ids.get(id) ?? id, changes, version)
      return changed && { ...changed, id }
    },
  }
}

const common = { secret, baseUrl, mailer: outbox() }
const staffNames = { prefix: '/staff', decorateAs: { instance: 'staff', request: 'staffUser' } }

async function mount(app: FastifyInstance, options: Partial<AccountsOptions>): Promise<void> {
  await app.register(accounts, { ...common, users: true, passwordHasher: cheapHasher(), ...options })
}

test('two realms share a secret and a session store, but no login, even with identical ids', async () => {
  const app = Fastify()
  const sessionStore = createMemorySessionStore()
  await mount(app, { sessionStore, userStore: serialStore() })
  await mount(app, {
    sessionStore,
    userStore: serialStore(),
    session: { cookieName: 'staff' },
    ...staffNames,
  })
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const me = async (prefix: string, cookie: string) =>
    (await app.inject({ url: `${prefix}/me/`, headers: { cookie } })).statusCode
  const password = goodPassword
  await post('/signup/', { username: 'mallory', password, confirm_password: password })
  await post('/staff/signup/', { username: 'boss', password, confirm_password: password })

  const login = await post('/login/', { username: 'mallory', password })
  const value = encodeURIComponent(login.cookies.find(({ name }) => name === 'session')?.value ?? '')
  expect(await me('', `session=${value}`)).toBe(200)
  for (const cookie of [`session=${value}`, `staff=${value}`]) expect(await me('/staff', cookie)).toBe(401)
  const staff = await post('/staff/login/', { username: 'boss', password })
  expect(staff.cookies.map(({ name }) => name)).toEqual(['staff', 'staff-device'])
})

test('each realm has its own decorators, typed with its own fields', async () => {
  const app = Fastify()
  const text = { type: 'string' }
  await mount(app, {
    users: { fields: { type: 'object', properties: { street: text } } },
    session: { cookieName: 'customer' },
    decorateAs: { instance: 'customers', request: 'customer' },
  })
  await mount(app, {
    prefix: '/clerks',
    users: { fields: { type: 'object', properties: { department: { enum: ['sales', 'support'] } } } },
    session: { cookieName: 'clerk' },
    decorateAs: { instance: 'clerks', request: 'clerk' },
  })
  app.get('/desk', { onRequest: [app.customers.loadUser, app.clerks.loadUser] }, async (request) => {
    expectTypeOf(request.customer?.fields.street).toEqualTypeOf<string | undefined>()
    expectTypeOf(app.clerks.userOf(request).fields.department).toEqualTypeOf<
      'sales' | 'support' | undefined
    >()
    // @ts-expect-error: clerks have no street
    request.clerk?.fields.street
    return [request.customer?.fields.street, request.clerk?.fields.department]
  })
  const logIn = async (prefix: string, cookie: string) => {
    const payload = { username: 'ada', password: goodPassword }
    const login = await app.inject({ method: 'POST', url: `${prefix}/login/`, payload })
    return `${cookie}=${encodeURIComponent(login.cookies.find(({ name }) => name === cookie)?.value ?? '')}`
  }
  await app.ready()
  const ada = { username: 'ada', password: goodPassword }
  await app.customers.createUser({ ...ada, fields: { street: 'High Street' } })
  await app.clerks.createUser({ ...ada, fields: { department: 'support' } })
  const both = [await logIn('', 'customer'), await logIn('/clerks', 'clerk')]
  const desk = await app.inject({ url: '/desk', headers: { cookie: both.join('; ') } })
  expect(desk.json()).toEqual(['High Street', 'support'])
})

test('two mounts with different users and the same cookie stop the start; with the same users they may start', async () => {
  const inMemory = Fastify()
  await mount(inMemory, {})
  await expect(mount(inMemory, staffNames)).rejects.toThrow('is session in two mounts with different users')
  const app = Fastify()
  const userStore = createMemoryUserStore()
  await mount(app, { userStore })
  await mount(app, { userStore, ...staffNames })
  const other = { prefix: '/other', decorateAs: { instance: 'other', request: 'otherUser' } }
  await expect(mount(app, { userStore: createMemoryUserStore(), ...other })).rejects.toThrow(
    'fastify-accounts: the option session.cookieName is session in two mounts with different users',
  )
})
