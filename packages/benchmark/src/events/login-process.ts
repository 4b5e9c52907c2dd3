import { randomBytes } from 'node:crypto'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openSqlite,
} from '@fastify-accounts/kysely'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { defaultLimits, type Limits } from 'fastify-accounts'
import { fill, type Tables } from '../databases.js'
import { emailOf, publicUrl, userRow } from '../people.js'

/** How many log in during a round, all at once. */
const users = 200

// A separate process: argv says where its database is, and whether somebody subscribes. It replies to each message with
// the CPU that a login by code took, in microseconds, deliveries included.
const [file = '', subscribes] = process.argv.slice(2)
/** By address: what waits for the code that is mailed there. */
const codes = new Map<string, (code: string) => void>()
/** Called with each delivery. */
let told = () => {}
const app = await serve()
process.on('message', async () => {
  const before = process.cpuUsage()
  const delivered = subscribes === 'yes' ? allDelivered() : undefined
  await logInEveryone()
  await delivered
  const { user, system } = process.cpuUsage(before)
  process.send?.((user + system) / users)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function serve(): Promise<FastifyInstance> {
  const db = openSqlite<Tables>(file)
  await migrate(db)
  await fill(db, 'accounts_users', users, (at) => userRow(at, '!'))
  const userStore = createKyselyUserStore({ db })
  const app = Fastify()
  // On, but never reached, except the one on emails about new devices: its default sends one for similar logins.
  const { newDeviceMails, ...others } = defaultLimits
  const names = [...Object.keys(others), 'loginCode', 'loginCodeMails', 'loginCodeRequest']
  const limits = names.map((name) => [name, { max: 1e9, window: 3_600_000 }])
  await app.register(accounts, {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: publicUrl,
    userStore,
    sessionStore: createKyselySessionStore({ db, userStore }),
    login: { emailCode: true },
    throttle: { limits: Object.fromEntries(limits) as Partial<Limits> },
    mailer: {
      async send({ to, text }) {
        const [code] = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text) ?? []
        if (code !== undefined) codes.get(to.address)?.(code)
      },
    },
    ...(subscribes === 'yes' && {
      on: {
        crm: {
          'session.created': async () => told(),
        },
      },
    }),
  })
  await app.ready()
  return app
}

function allDelivered(): Promise<void> {
  return new Promise((resolve) => {
    let left = users
    told = () => {
      left -= 1
      if (left === 0) resolve()
    }
  })
}

async function logInEveryone(): Promise<void> {
  await Promise.all(Array.from({ length: users }, (_, at) => logIn(emailOf(at))))
}

/** After the email, as people do. */
async function logIn(email: string): Promise<void> {
  const mailed = new Promise<string>((resolve) => codes.set(email, resolve))
  const requested = await app.inject({ method: 'POST', url: '/login/code/', payload: { email } })
  if (requested.statusCode !== 202) throw new Error(`a request for a code returned ${requested.body}`)
  const headers = { cookie: requested.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  const payload = { code: await mailed }
  const confirmed = await app.inject({ method: 'POST', url: '/login/code/confirm/', payload, headers })
  if (confirmed.statusCode !== 200) throw new Error(`a login by code returned ${confirmed.body}`)
}
