import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKyselyInvitationStore,
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
} from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { createKey, ordersOf, scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import {
  as,
  cookieOf,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testAppOn,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { makeProject, runCli } from '@fastify-accounts/test-support/cli'
import { connect, openSqlite } from '@fastify-accounts/test-support/databases'
import { giveCode, newCode, newResetCode, resetByCode } from '@fastify-accounts/test-support/email-code'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor as visitorWith } from '@fastify-accounts/test-support/providers/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { read } from '@fastify-accounts/test-support/source'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  apiKeys,
  createMemorySessionStore,
  createMemoryThrottleStore,
  invitations,
  type SessionStore,
  secondFactor,
  tokens,
} from 'fastify-accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

/** All users here share one network. */
const many = { max: 1000, window: 60_000 }

/** An app with every feature whose state a restore brings back, on the SQLite file. */
async function start(file: string, elsewhere?: SessionStore) {
  const db = await connect({ driver: 'libsql', url: file })
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const sessions = elsewhere ?? createKyselySessionStore({ db, userStore: users })
  const demo = { name: 'demo', label: 'Demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const service = await testAppOn(
    { users, sessions, invitations: createKyselyInvitationStore({ db, userStore: users }) },
    {
      features: [secondFactor(), tokens(), apiKeys({ scopes }), invitations(), passkeys(), providers([demo])],
      login: { emailCode: true },
      roles: { editor: ['posts:write'] },
      before: { signUp: () => ({ roles: ['editor'] }) },
      // Counters in memory, as after a restart: similar devices are told once.
      throttle: {
        store: createMemoryThrottleStore(),
        limits: { newDeviceMails: many, login: many, networkMails: many, verify: many },
      },
    },
    { before: ordersOf },
  )
  return {
    ...service,
    async close() {
      await service.app.close()
      await db.destroy()
    },
  }
}

type Service = Omit<TestApp<SessionStore>, 'hasher'>

/** What an account had at the backup, and what ends it afterwards. */
interface Ended {
  /** Called right before the backup. */
  last?(): Promise<unknown>
  /** Called after the backup. */
  end(): Promise<unknown>
  /** Whether what was ended, or changed, is as it was at the backup. */
  isBack(restored: Service): Promise<boolean>
}

/** A user with a proven address who has logged in. */
async function newUser(service: Service, username: string) {
  const { accounts } = service.app
  const email = `${username}@example.org`
  const { id } = await accounts.createUser({ username, email, password: goodPassword, isVerified: true })
  return { id, email, username, cookie: await logIn(service, username) }
}

const opens = async ({ send }: Service, username: string, password = goodPassword): Promise<boolean> =>
  (await send('POST', '/login/', { username, password })).statusCode === 200

const chosen = { new_password: otherPassword, confirm_password: otherPassword }

/** A link that is used after the backup, with these fields, at a path below it. */
function used(service: Service, link: string, fields?: object, way = ''): Ended {
  const isValid = async ({ send }: Service) => (await send('GET', link)).statusCode === 200
  return {
    async end() {
      const { statusCode, body } = await service.send('POST', link + way, fields)
      expect([200, 204], body).toContain(statusCode)
      // The owner of a mailbox can release it as often as needed.
      expect([link, await isValid(service)]).toEqual([link, link.includes('/release/')])
    },
    isBack: isValid,
  }
}

/** The link that confirms another address. */
async function changeLink(service: Service, username: string) {
  const { email, cookie } = await newUser(service, username)
  const to = `new-${email}`
  await service.send('POST', '/change-email/', { email: to }, as(cookie))
  return { email, mail: await service.mail('change-email', to) }
}

/** Signs up; returns the link that verifies the address. */
async function signedUp(service: Service, username: string) {
  const email = `${username}@example.org`
  await signUp(service, username, { email })
  await service.send('POST', '/user/v/', { email })
  return { email, link: linkPath(await service.mail('verify-email', email)) }
}

/** By the rows of the page, and what they tell apart. Each sets up a user of its own before the backup. */
const drill: Record<string, (service: Service) => Promise<Ended>> = {
  async Sessions(service) {
    const { cookie } = await newUser(service, 'sessions')
    return {
      end: () => service.send('POST', '/logout/', undefined, as(cookie)),
      isBack: async (restored) => (await whoIs(restored, cookie)) !== null,
    }
  },
  async Tokens(service) {
    const { id } = await newUser(service, 'tokens')
    const login = { username: 'tokens', password: goodPassword }
    const headers = { 'accounts-delivery': 'tokens' }
    const delivered = deliveredBy(await service.send('POST', '/login/', login, { headers }))
    const refresh = ({ send }: Service) =>
      send('POST', '/tokens/refresh/', { refresh_token: delivered?.refresh_token })
    return {
      end: () => service.app.accounts.setPassword(id, otherPassword),
      isBack: async (restored) => (await refresh(restored)).statusCode === 200,
    }
  },
  async 'Remembered devices'(service) {
    const { cookie } = await newUser(service, 'devices')
    const { secret } = await enroll(service, cookie)
    const first = await service.send('POST', '/login/', { username: 'devices', password: goodPassword })
    const pending = first.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const body = { code: codeOf(secret), remember_device: true }
    const second = await service.send('POST', '/login/second-factor/', body, as(pending))
    const device = second.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const session = cookieOf(second)
    return {
      async end() {
        const { remembered_devices: listed } = (
          await service.send('GET', '/second-factor/', undefined, as(session))
        ).json()
        await service.send('DELETE', `/second-factor/devices/${listed[0].id}`, undefined, as(session))
      },
      async isBack({ send }) {
        const body = { username: 'devices', password: goodPassword }
        return (await send('POST', '/login/', body, as(device))).statusCode === 200
      },
    }
  },
  async 'Known devices'(service) {
    const { id } = await newUser(service, 'known')
    const login = { username: 'known', password: goodPassword }
    const response = await service.send('POST', '/login/', login)
    const device = response.cookies.find(({ name }) => name.endsWith('-device'))
    return {
      end: () => service.app.accounts.setPassword(id, otherPassword),
      async isBack(restored) {
        const told = () =>
          restored.mails.filter(({ kind, to }) => kind === 'new-device' && to.address.startsWith('known@'))
        await restored.send('POST', '/login/', login, as(`${device?.name}=${device?.value}`))
        // A second, from a device that nobody knows, is told in any case.
        await restored.send('POST', '/login/', login)
        await expect.poll(() => restored.users.outbox?.count()).toMatchObject({ waiting: 0 })
        return told().length === 1
      },
    }
  },
  async 'Emailed links and codes: reset links'(service) {
    const { email } = await newUser(service, 'links')
    await service.send('POST', '/forgot/', { email })
    return used(service, linkPath(await service.mail('reset-password', email)), chosen)
  },
  async 'Emailed links and codes: reset codes'(service) {
    const code = await newResetCode(service, (await newUser(service, 'reset-codes')).email)
    const reset = async (at: Service) => (await resetByCode(at, code)).statusCode === 204
    return { end: async () => expect(await reset(service)).toBe(true), isBack: reset }
  },
  async 'Emailed links and codes: login codes'(service) {
    const code = await newCode(service, (await newUser(service, 'login-codes')).email)
    const give = async (at: Service) => (await giveCode(at, code)).statusCode === 200
    return {
      end: async () => expect(await give(service)).toBe(true),
      async isBack(restored) {
        const isShown = (await restored.send('GET', linkPath(code.mail))).statusCode === 200
        return (await give(restored)) || isShown
      },
    }
  },
  async 'Emailed links and codes: links to accounts that nobody has verified or logged in to'(service) {
    return used(service, (await signedUp(service, 'new')).link, chosen, 'new-password/')
  },
  async 'Emailed links and codes: verification links after a login'(service) {
    const { link } = await signedUp(service, 'unverified')
    await logIn(service, 'unverified')
    return used(service, link, chosen, 'new-password/')
  },
  async 'Emailed links and codes: verification links of an address that was verified before'(service) {
    const { id, email } = await newUser(service, 'again')
    await service.app.accounts.updateUser(id, { isVerified: false })
    await service.send('POST', '/user/v/', { email })
    return used(service, linkPath(await service.mail('verify-email', email)), chosen, 'new-password/')
  },
  async 'Emailed links and codes: links that change the address'(service) {
    return used(service, linkTarget((await changeLink(service, 'mover')).mail))
  },
  async 'Emailed links and codes: links that release an address'(service) {
    const { mail } = await changeLink(service, 'released')
    const [, confirm = '', release = ''] = /(https?:\S+)[\s\S]*?(https?:\S+)/.exec(mail.text) ?? []
    await service.send('POST', linkTarget({ ...mail, text: confirm }))
    return used(service, linkTarget({ ...mail, text: release }))
  },
  async 'Emailed links and codes: links that undo a change of address'(service) {
    const { email, mail } = await changeLink(service, 'undone')
    await service.send('POST', linkTarget(mail))
    return used(service, linkTarget(await service.mail('email-changed', email)))
  },
  async 'Emailed links and codes: links that report a login'(service) {
    const { email } = await newUser(service, 'reported')
    await logIn(service, 'reported')
    return used(service, linkPath(await service.mail('new-device', email)))
  },
  async 'Emailed links and codes: links for a support desk'(service) {
    const { id } = await newUser(service, 'caller')
    const link = await service.app.accounts.createPasswordLink(id)
    return used(service, new URL(link?.url ?? '').pathname, chosen)
  },
  async 'API keys'(service) {
    const { cookie } = await newUser(service, 'keys')
    const { id, key } = await createKey({ ...service, cookie })
    return {
      end: () => service.send('DELETE', `/api-keys/${id}`, undefined, as(cookie)),
      isBack: async ({ send }) => (await send('GET', '/orders', undefined, withKey(key))).statusCode === 200,
    }
  },
  'Invitations: withdrawn': (service) => invited(service, 'guest', 'withdrawn'),
  'Invitations: accepted': (service) => invited(service, 'member', 'accepted'),
  async 'Waiting emails'(service) {
    const { id, email } = await newUser(service, 'mails')
    const post = () => {
      const at = new Date()
      const heldUntil = new Date(at.getTime() + 2_000).toISOString()
      const mail = newPendingMail({
        userId: id,
        to: email,
        kind: 'account-changed',
        heldUntil,
        at: at.toISOString(),
      })
      return service.users.outbox?.add([mail])
    }
    const isThere = ({ mails }: Service) => mails.some(({ kind }) => kind === 'account-changed')
    return {
      last: async () => post(),
      end: () => expect.poll(() => isThere(service)).toBe(true),
      async isBack(restored) {
        await expect.poll(() => restored.users.outbox?.count()).toMatchObject({ waiting: 0 })
        return isThere(restored)
      },
    }
  },
  async Passwords(service) {
    const { id } = await newUser(service, 'passwords')
    return {
      end: () => service.app.accounts.setPassword(id, otherPassword),
      isBack: (restored) => opens(restored, 'passwords'),
    }
  },
  async 'Second factors, passkeys, providers: second factors'(service) {
    const { id, cookie } = await newUser(service, 'factors')
    await enroll(service, cookie)
    return {
      end: () => service.app.accounts.resetUserFactors(id),
      isBack: async (restored) => (await restored.users.findById(id))?.factors.includes('totp') === true,
    }
  },
  async 'Second factors, passkeys, providers: passkeys'(service) {
    const browser = visitor(service)
    browser.take((await newUser(service, 'passkeys')).cookie)
    const { passkey, response } = await browser.add()
    const use = async (at: Service) => (await visitor(at).use(passkey)).statusCode === 200
    return {
      async end() {
        // It takes a login with a passkey, since there is one.
        await browser.use(passkey)
        await browser.send('DELETE', `/passkeys/${response.json().id}`)
        expect(await use(service)).toBe(false)
      },
      isBack: use,
    }
  },
  async 'Second factors, passkeys, providers: providers'(service) {
    const { id } = await newUser(service, 'linked')
    const { accounts } = service.app
    await accounts.addIdentity(id, { provider: 'demo', subject: 'linked-1' })
    const isLoggedIn = async ({ app }: Service) => {
      const browser = visitorWith({ app, issuer })
      await browser.logInWith({ sub: 'linked-1' })
      return (await browser.who()) === 'linked'
    }
    return {
      async end() {
        const [identity] = (await accounts.listIdentities(id)) ?? []
        await accounts.removeIdentity(id, identity?.id ?? '')
        expect(await isLoggedIn(service)).toBe(false)
      },
      isBack: isLoggedIn,
    }
  },
  async 'Roles and staff rights'(service) {
    const { id } = await newUser(service, 'rights')
    await service.app.accounts.updateUser(id, { isStaff: true })
    return {
      end: () => service.app.accounts.updateUser(id, { isStaff: false }),
      isBack: async (restored) => (await restored.users.findById(id))?.isStaff === true,
    }
  },
  async 'Disabled users'(service) {
    const { id } = await newUser(service, 'disabled')
    return {
      end: () => service.app.accounts.updateUser(id, { isActive: false }),
      isBack: (restored) => opens(restored, 'disabled'),
    }
  },
  async 'Deleted users'(service) {
    const { id } = await newUser(service, 'deleted')
    return {
      end: () => service.app.accounts.deleteUser(id),
      isBack: (restored) => opens(restored, 'deleted'),
    }
  },
  async 'Addresses and usernames'(service) {
    const { id, email } = await newUser(service, 'addresses')
    return {
      end: () => service.app.accounts.updateUser(id, { email: 'moved@example.org' }),
      isBack: async (restored) => (await restored.users.findByEmail(email))?.id === id,
    }
  },
  async 'Later signups'(service) {
    return {
      end: () => newUser(service, 'later'),
      isBack: async (restored) => (await restored.users.findByUsername('later')) === null,
    }
  },
}

async function invited(service: Service, username: string, ending: 'withdrawn' | 'accepted'): Promise<Ended> {
  const { accounts } = service.app
  const email = `${username}@example.org`
  const invitation = await accounts.invite({ email, roles: ['editor'] })
  const link = linkPath(await service.mail('invitation', email))
  const accept = async ({ send }: Service) =>
    (await send('POST', link, { username, ...chosen })).statusCode < 400
  return {
    async end() {
      if (ending === 'withdrawn') await accounts.withdrawInvitation(invitation?.id ?? '')
      else expect(await accept(service)).toBe(true)
    },
    async isBack(restored) {
      const { invitations } = await restored.app.accounts.listInvitations()
      return (await accept(restored)) || invitations.some((each) => each.email === email)
    },
  }
}

/** The rows of the table, and what ends each. */
const page = (read('docs/guides/backups.md').split('### What comes back')[1] ?? '').split(/^#/m)[0] ?? ''
const rows = new Map(
  [...page.matchAll(/^\| ([A-Z][^|]*?) \|[^|]*\| ?([^|]*?) ?\|$/gm)].map(([, state = '', by = '']) => [
    state,
    by,
  ]),
)
rows.delete('State')

test('FLT-37 after a restore, what was ended since the backup comes back as the page says, and goes as it says', async () => {
  // Counters aren't in the backup.
  expect([...rows.keys()].filter((state) => state !== 'Attempts')).toEqual([
    ...new Set(Object.keys(drill).map((state) => state.split(': ')[0])),
  ])
  const folder = makeProject()
  const at = (name: string) => join(folder, name)
  const before = await start(at('accounts.db'))
  const ended: Record<string, Ended> = {}
  for (const [state, begin] of Object.entries(drill)) ended[state] = await begin(before)
  for (const { last } of Object.values(ended)) await last?.()
  const copier = await openSqlite('libsql', at('accounts.db'))
  copier.exec(`vacuum into '${at('backup.db')}'`)
  copier.close()
  const since = new Date().toISOString()
  for (const { end } of Object.values(ended)) await end()
  await before.close()
  for (const name of ['untreated.db', 'restored.db']) copyFileSync(at('backup.db'), at(name))

  const back = async (service: Service) => {
    const states: string[] = []
    for (const [state, { isBack }] of Object.entries(ended)) if (await isBack(service)) states.push(state)
    return states
  }
  const untreated = await start(at('untreated.db'))
  expect(await back(untreated)).toEqual(Object.keys(drill))
  await untreated.close()

  const command = async (...args: string[]) => {
    const all = ['after-restore', '--json', '--since', since, ...args]
    const { code, stdout, stderr } = await runCli(folder, all, { env: { DATABASE_URL: 'file:restored.db' } })
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const counts = { users: 25, apiKeys: 1, invitations: 2, emails: 1 }
  expect(await command()).toMatchObject({ ended: false, ...counts })
  expect(await command('--yes')).toMatchObject({ ended: true, ...counts })
  expect(await command('--yes')).toMatchObject({
    ended: true,
    ...counts,
    apiKeys: 0,
    invitations: 0,
    emails: 0,
  })
  const restored = await start(at('restored.db'))
  const isTreated = (state: string): boolean => {
    const [row = '', part = ''] = state.split(': ')
    const [by = '', exceptions = ''] = (rows.get(row) ?? '').split(', except ')
    return by.includes('`after-restore`') && !(part && exceptions.includes(part))
  }
  expect(await back(restored)).toEqual(Object.keys(drill).filter((state) => !isTreated(state)))
  await restored.close()
})

const env = { DATABASE_URL: 'file:accounts.db' }

test("FLT-37 a session begun after the backup, in a store that isn't restored, is never valid again", async () => {
  const folder = makeProject()
  const [file, backup] = [join(folder, 'before.db'), join(folder, 'accounts.db')]
  const sessions = createMemorySessionStore()
  const before = await start(file, sessions)
  const { id } = await newUser(before, 'ada')
  const copier = await openSqlite('libsql', file)
  copier.exec(`vacuum into '${backup}'`)
  copier.close()
  const since = new Date().toISOString()
  await before.app.accounts.setPassword(id, otherPassword)
  const later = await logIn(before, 'ada', otherPassword)
  expect(await whoIs(before, later)).toBe('ada')
  await before.close()
  expect(await runCli(folder, ['after-restore', '--since', since, '--yes'], { env })).toMatchObject({
    code: 0,
  })
  const restored = await start(backup, sessions)
  expect(await whoIs(restored, later)).toBeNull()
  // Its epoch was one higher than the backup's.
  for (const password of [otherPassword, goodPassword]) {
    await restored.app.accounts.setPassword(id, password)
    expect(await whoIs(restored, later)).toBeNull()
  }
  await restored.close()
})

test('keeps API keys and emails if told to, and what is newer than the backup in any case', async () => {
  const folder = makeProject()
  const file = join(folder, 'accounts.db')
  const service = await start(file)
  const { id, email, cookie } = await newUser(service, 'ada')
  const heldUntil = new Date(Date.now() + 3_600_000).toISOString()
  const post = (at: Date) =>
    service.users.outbox?.add([newPendingMail({ userId: id, to: email, heldUntil, at: at.toISOString() })])
  const { key } = await createKey({ ...service, cookie })
  const now = new Date()
  await post(new Date(now.getTime() - 60_000))
  await post(new Date(now.getTime() + 60_000))
  // As it is to be run: while no process delivers emails.
  await service.close()
  const run = async (since: Date, ...args: string[]) =>
    JSON.parse(
      (await runCli(folder, ['after-restore', '--json', '--since', since.toISOString(), ...args], { env }))
        .stdout,
    )
  /** Whether the key still works, who the cookie is, and how many emails wait. */
  async function left() {
    const again = await start(file)
    const { statusCode } = await again.send('GET', '/orders', undefined, withKey(key))
    const who = await whoIs(again, cookie)
    const counts = await again.users.outbox?.count()
    await again.close()
    return [statusCode === 200, who, counts?.waiting]
  }
  const past = new Date(now.getTime() - 30_000)
  const counted = await runCli(folder, ['after-restore', '--since', past.toISOString()], { env })
  expect(counted.stdout).toContain('emails waiting: 2; those from after --since stay')
  expect(await run(past, '--yes')).toMatchObject({ users: 0, apiKeys: 0, emails: 1 })
  expect(await left()).toEqual([true, 'ada', 1])
  const kept = ['--keep-api-keys', '--keep-emails']
  expect(await run(now, '--yes', ...kept)).toMatchObject({ users: 1, apiKeys: 0, emails: 0 })
  expect(await left()).toEqual([true, null, 1])
  expect(await run(now, '--yes', '--keep-emails')).toMatchObject({ apiKeys: 1, emails: 0 })
  expect(await left()).toEqual([false, null, 1])
})

test('ends all invitations of the backup, page by page, and none from after it', async () => {
  const folder = makeProject()
  const service = await start(join(folder, 'accounts.db'))
  const since = new Date(Date.now() - 1000)
  const of = (count: number, createdAt: Date) =>
    Array.from({ length: count }, (_, at) => {
      const id = `${createdAt < since ? 'old' : 'new'}-${at}`
      const email = `${id}@example.org`
      const facts = { target: 'accounts', inviterId: null, gives: {}, sends: 1, acceptingUntil: null }
      return { ...facts, id, email, emailKey: email, createdAt, expiresAt: new Date(Date.now() + 60_000) }
    })
  for (const each of [...of(1001, new Date(since.getTime() - 1000)), ...of(1, since)])
    await service.invitations.create(each)
  const left = async () =>
    (await service.invitations.list({ limit: 2000 })).filter(({ id }) => id.startsWith('old')).length
  const run = async (...args: string[]) => {
    const all = ['after-restore', '--json', '--since', since.toISOString(), ...args]
    return JSON.parse((await runCli(folder, all, { env })).stdout)
  }
  const counted = await run()
  expect(counted).toMatchObject({ ended: false, invitations: 1001 })
  expect(counted.named.invitations).toHaveLength(100)
  expect(await left()).toBe(1001)
  expect(await run('--yes')).toMatchObject({ ended: true, invitations: 1001 })
  expect(await left()).toBe(0)
  expect(await service.invitations.find('new-0')).not.toBeNull()
  await service.close()
})

/** Users with numbers as ids, as of a sequence, in memory; `sessions` is an expression. */
const numbered = (sessions: string) => `
import { createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
import { newUser } from '@fastify-accounts/testing'

const memory = createMemoryUserStore()
const { id: real } = await memory.create(newUser({ createdAt: new Date(0) }))
const numbered = (user) => user && { ...user, id: '1001' }
export const userStore = {
  ...memory,
  list: async (query) => (await memory.list(query)).map(numbered),
  findById: async () => numbered(await memory.findById(real)),
  update: async (id, ...args) => numbered(await memory.update(real, ...args)),
}
export const options = { userStore, sessionStore: ${sessions} }
`

test('FLT-37 where ids are numbers, it ends nothing until sessions elsewhere are gone, and says what else to do', async () => {
  const run = async (sessions: string, ...args: string[]) => {
    const folder = makeProject({ 'accounts.config.mjs': numbered(sessions) })
    const all = ['after-restore', '--since', new Date().toISOString(), ...args]
    return runCli(folder, all)
  }
  const elsewhere = 'createMemorySessionStore()'
  for (const sessions of [elsewhere, 'undefined']) {
    const { code, stdout, stderr } = await run(sessions, '--yes')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/empty the session store .*--sessions-emptied/)
  }
  const counted = await run(elsewhere)
  expect([counted.code, counted.stdout]).toEqual([
    0,
    expect.stringMatching(/^warning: .*move the sequence.*\nwarning: .*empty the session store/),
  ])
  const together = '{ ...createMemorySessionStore(), withUsers: { users: userStore } }'
  for (const [sessions, ...args] of [[elsewhere, '--sessions-emptied'], [together]]) {
    const { code, stdout } = await run(sessions ?? '', '--yes', ...args)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^warning: .*move the sequence.*\nlogged out: 1 user,/),
    ])
  }
})

test('keeps the roles that are promised to an address until it is verified', async () => {
  const folder = makeProject()
  const service = await start(join(folder, 'accounts.db'))
  const { email } = await signedUp(service, 'ada')
  await logIn(service, 'ada')
  const since = new Date().toISOString()
  expect(await runCli(folder, ['after-restore', '--since', since, '--yes'], { env })).toMatchObject({
    code: 0,
  })
  service.mails.length = 0
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email', email))
  await service.send('POST', `${link}password/`, { password: goodPassword })
  expect(await service.users.findByUsername('ada')).toMatchObject({ isVerified: true, roles: ['editor'] })
  await service.close()
})

test.each([
  [[], '--since requires a time with its zone'],
  [['--since', 'yesterday'], 'got yesterday'],
  [['--since', '2026-11-28T02:00:00'], '--since requires a time with its zone'],
  [['--since', '2999-11-28T02:00:00Z'], '--since is in the future'],
])('refuses %j', async (args, text) => {
  const { code, stderr } = await runCli(makeProject(), ['after-restore', ...args], { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
})
