import { createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import { databases, memory, type OpenGround } from '@fastify-accounts/test-support/faults/grounds'
import { type OnCall, probed, watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { InjectOptions } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Branch, branches } from './branches.js'
import { driverError } from './faults.js'
import { expectBegun, expectEnded, holdClock, logging, pass } from './outage-lines.js'

interface Outage {
  name: string
  /** The adapters that may be logged. */
  adapters: readonly string[]
  /** Whether this call fails, such as `users.update`. */
  fails(method: string): boolean
  error?: () => Error
  options?: Partial<AccountsOptions>
}

const of = (adapter: string) => (method: string) => method.startsWith(`${adapter}.`)

const readOnly = () => new Error('cannot execute UPDATE in a read-only transaction')
const writes = (adapters: string) => {
  const pattern = new RegExp(`^(${adapters})\\.(create|update|change|delete|touch)`)
  return (method: string) => pattern.test(method)
}

/** The probes watch the combined write of two stores as `users.update`; it is a call of the session store. */
const users = ['the user store', 'the session store']

const rule = probed('authorize', { ask: () => true }).ask
const rules = ['createUser', 'listUsers', 'showUser', 'manageUser', 'editUser', 'deleteUser']
const authorize = Object.fromEntries(rules.map((name) => [name, rule]))

const outages: readonly Outage[] = [
  { name: 'the user store is down', adapters: users, fails: of('users') },
  { name: 'the user store is read-only', adapters: users, fails: writes('users'), error: readOnly },
  { name: 'the database is read-only', adapters: users, fails: writes('users|sessions'), error: readOnly },
  { name: 'the session store is down', adapters: ['the session store'], fails: of('sessions') },
  { name: 'the throttle store is down', adapters: ['the throttle store'], fails: of('throttle') },
  { name: 'the token signer fails', adapters: ['the token signer'], fails: of('signer') },
  { name: 'the hasher fails', adapters: ['the password hasher'], fails: of('hasher') },
  { name: 'the password check fails', adapters: ['the password check'], fails: of('check') },
  {
    name: 'a rule of the app fails',
    adapters: ['authorize'],
    fails: of('authorize'),
    options: { authorize },
  },
  { name: 'the mail server is down', adapters: ['the mailer'], fails: of('mailer') },
]

/** With an outbox, which the other grounds don't have. */
const lasting = {
  name: 'an outbox in SQLite',
  async open(): Promise<OpenGround> {
    const db = openSqlite(':memory:')
    await migrate(db)
    const store = createKyselyUserStore({ db })
    const users = { ...store, ...(store.outbox && { outbox: probed('outbox', store.outbox) }) }
    const { close, ...stores } = await memory.open()
    return { ...stores, users, close: async () => void (await Promise.all([close(), db.destroy()])) }
  },
}

const inMemory = outages.map((outage) => ({ outage, ground: memory }))
// One in this process: on a network, a call may take longer than the clock is held.
const inSqlite = databases
  .filter(({ name }) => name === 'SQLite')
  .flatMap((ground) =>
    outages.filter(({ adapters }) => adapters === users).map((outage) => ({ outage, ground })),
  )
const withOutbox = [
  ...outages.filter(({ adapters }) => adapters.includes('the mailer')),
  { name: 'the outbox is down', adapters: ['the outbox'], fails: of('outbox') },
].map((outage) => ({ outage, ground: lasting }))

const cases = [...inMemory, ...inSqlite, ...withOutbox].flatMap(({ outage, ground }) =>
  [false, true].map((confirms) => ({ ...outage, ground, confirms, stores: ground.name })),
)

/** Routes of the plugin: on the app's own, an error goes to the app's error handler. */
const own = branches.filter(({ route, isContended }) => route !== undefined && !isContended)

describe.each(cases)('if $name, on $stores, new users must verify: $confirms', (outage) => {
  const { adapters, fails, error = driverError, options, ground, confirms } = outage

  test('FLT-16 all routes together log one line when an outage begins, and one when it ends', async () => {
    const stores = await ground.open()
    onTestFinished(() => stores.close())
    const { service, loud } = await logging(stores, { requireEmailConfirmation: confirms, ...options })
    const requests: InjectOptions[] = []
    // The second signup of a name is refused, so without the other one no email would tell that the outage is over.
    const sends = ({ name, confirms: must = false }: Branch) => must === confirms || name === 'forgot'
    for (const branch of own.filter(sends)) {
      const scene = await setScene(service)
      requests.push(...requestsOf(branch, { ...scene, ...(await branch.prepare?.(scene)) }))
    }
    let isDown = true
    let failed = 0
    const onCall: OnCall = (method, inner) => {
      if (!isDown || !fails(method)) return inner()
      failed += 1
      if (/\.(canVerify|needsRehash)$/.test(method)) throw error()
      return Promise.reject(error())
    }
    holdClock()
    await watch(onCall, async () => {
      for (const request of requests) await service.send(request)
      await pass()
      const begun = loud()
      expectBegun(begun, adapters, error().message)
      // The few routes that differ where new users must verify don't call everything.
      if (!confirms) expect(failed).toBeGreaterThan(2)
      expect(begun.length > 0).toBe(failed > 0)

      isDown = false
      for (const request of requests) await service.send(request)
      await pass()
      expectEnded(loud().slice(begun.length), begun)
    })
  })
})

/** The request, in the default language and in another, as errors are translated. */
function requestsOf(branch: Branch, scene: Scene): InjectOptions[] {
  const request = { ...branch.request(scene), remoteAddress: scene.remoteAddress }
  return [{ ...request, headers: { ...request.headers, 'accept-language': 'de' } }, request, request]
}
