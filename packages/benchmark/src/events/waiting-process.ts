import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openPostgres,
} from '@fastify-accounts/kysely'
import Fastify from 'fastify'
import accounts, { type Accounts, type AccountsHealth, type Subscriber } from 'fastify-accounts'
import { sql } from 'kysely'
import { openPool, type Tables } from '../databases.js'
import { emailOf, idOf, password, publicUrl, usernameOf, userRow } from '../people.js'
import { quantile } from '../statistics.js'

/** What becomes of the events that wait: nobody here gets them, each delivery fails, or all are delivered. */
export type Fate = 'for others' | 'failing' | 'delivered'

export type Question = ['me', seconds: number] | ['reset'] | ['check'] | ['waiting']

/** Of "who am I": microseconds of the process for each, with its deliveries; milliseconds. */
export interface Me {
  cpu: number
  p50: number
}

// A separate process: argv says where its database is, how many events wait, and their fate.
const [url = '', size = '0', fate] = process.argv.slice(2)
const subscribers: Record<Fate, Record<string, Subscriber>> = {
  'for others': { here: { 'user.secured': async () => {} } },
  failing: {
    crm: {
      async '*'() {
        throw new Error('the CRM is down')
      },
    },
  },
  delivered: { crm: { '*': async () => {} } },
}
const users = 100
const db = openPostgres<Tables>(await openPool(url, 0), { statementTimeout: false })
await migrate(db)
for (let at = 0; at < users; at += 1)
  await db
    .insertInto('accounts_users')
    .values(userRow(at, `none:${password}`))
    .execute()
await leaveEvents(Number(size))

let onMail = (): void => {}
const userStore = createKyselyUserStore({ db })
const app = Fastify()
await app.register(accounts, {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: publicUrl,
  userStore,
  sessionStore: createKyselySessionStore({ db, userStore }),
  throttle: false,
  passwordHasher: {
    hash: async (password) => `none:${password}`,
    canVerify: (hash) => hash.startsWith('none:'),
    verify: async (password, hash) => hash === `none:${password}`,
    needsRehash: () => false,
  },
  mailer: { send: async () => onMail() },
  on: subscribers[fate as Fate],
})
await app.ready()
const { accounts: api } = app as typeof app & { accounts: Accounts }
const login = await app.inject({
  method: 'POST',
  url: '/login/',
  payload: { username: usernameOf(0), password },
})
const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

const answers = {
  async me(seconds: number): Promise<Me> {
    const before = process.cpuUsage()
    const times: number[] = []
    const end = performance.now() + seconds * 1000
    for (let now = performance.now(); now < end; now = performance.now()) {
      const { statusCode } = await app.inject({ url: '/me/', headers: { cookie } })
      if (statusCode !== 200) throw new Error(`GET /me/ returned ${statusCode}`)
      times.push(performance.now() - now)
    }
    const { user, system } = process.cpuUsage(before)
    return { cpu: (user + system) / times.length, p50: quantile(times, 0.5) }
  },
  /** Milliseconds from the request to the email. */
  async reset(): Promise<number> {
    const mailed = new Promise<void>((resolve) => {
      onMail = resolve
    })
    const email = emailOf(1 + Math.floor(Math.random() * (users - 1)))
    const start = performance.now()
    await app.inject({ method: 'POST', url: '/forgot/', payload: { email } })
    await mailed
    return performance.now() - start
  },
  check: (): Promise<AccountsHealth> => api.check(),
  async waiting(): Promise<number> {
    await sleep(0)
    return (await userStore.outbox?.count())?.waiting ?? 0
  },
}
process.on('message', async ([name, seconds]: Question) => {
  process.send?.(name === 'me' ? await answers.me(seconds ?? 1) : await answers[name]())
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

/** As a split leaves them for the subscriber `crm`, all due. */
async function leaveEvents(count: number): Promise<void> {
  if (count === 0) return
  const event = {
    ...{ id: '', type: 'user.updated', at: new Date().toISOString(), realm: 'accounts' },
    ...{ user: { id: idOf(0), version: 2 }, actor: { kind: 'host', id: null, reason: null } },
    data: { fields: ['team'] },
  }
  const realm = 'accounts:to:crm'
  const message = JSON.stringify({ realm, userId: idOf(0), to: null, events: [event] })
  const [head, tail] = message.split('"id":""')
  await sql`insert into accounts_outbox (id, realm, mail, posted_at, due_at, attempts)
    select id, ${realm}, ${head}::text || '"id":"' || id || '"' || ${tail}::text, 1, 1, 0
    from (select gen_random_uuid()::text as id from generate_series(1, ${count})) as ids`.execute(db)
  await sql`vacuum analyze accounts_outbox`.execute(db)
}
