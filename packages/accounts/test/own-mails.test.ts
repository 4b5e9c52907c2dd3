import { goodPassword, lastingOutbox, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  type AccountsOptions,
  createMemoryThrottleStore,
  createMemoryUserStore,
  type EmailFacts,
  type EmailLayout,
  type OwnEmails,
  type UserStore,
} from 'fastify-accounts'
import { describe, expect, it, vi } from 'vitest'

const email = 'ada@example.org'
const fields = {
  type: 'object',
  properties: { name: { type: 'string' }, locale: { type: 'string' }, links: { type: 'array' } },
} as const

const mails = {
  welcome: ({ fields, site }: EmailFacts, { plan }: { plan: string }, layout: EmailLayout) =>
    layout({
      subject: `Welcome to ${site}`,
      preheader: 'Start here',
      paragraphs: [`Hi ${fields.name ?? 'there'} & all,\nnice to see you.`, `Your plan: <${plan}>`],
      button: { label: 'Open', url: 'https://example.org/start?a=1&b=2' },
      reason: 'You signed up.',
    }),
  plain: () => ({ subject: 'Plain', text: 'Plain\n', html: '<p>Plain</p>' }),
} satisfies OwnEmails

async function start(
  options: Partial<AccountsOptions> = {},
  user: { isVerified?: boolean; isActive?: boolean; email?: string } = { email, isVerified: true },
): Promise<TestApp & { id: string }> {
  const service = await testApp({ ownEmails: mails, users: { variant: 'both', fields }, ...options })
  const { id } = await service.app.accounts.createUser({
    ...{ username: 'ada', password: goodPassword, fields: { name: 'Ada' } },
    ...user,
  })
  return { ...service, id }
}

describe('an email of your own', () => {
  it('is laid out like the shipped ones, as text and HTML', async () => {
    const { app, mail, id } = await start({ brand: { name: 'Example', footer: 'Example Ltd.' } })
    expect(await app.accounts.mail('welcome', id, { plan: 'free' })).toBe(true)
    const sent = await mail('welcome')
    expect(sent).toMatchObject({ to: { name: 'ada', address: email }, userId: id, kind: 'welcome' })
    expect(sent.subject).toBe('Welcome to Example')
    expect(sent.text).toBe(
      'Hi Ada & all,\nnice to see you.\n\nYour plan: <free>\n\nOpen:\nhttps://example.org/start?a=1&b=2\n\n—\n\nYou signed up.\n\nExample Ltd.\n',
    )
    for (const html of [
      'Hi Ada &#38; all,<br>nice to see you.',
      'Your plan: &#60;free&#62;',
      'href="https://example.org/start?a=1&#38;b=2"',
      'Start here',
      'You signed up.',
      'Example Ltd.',
    ])
      expect(sent.html).toContain(html)
  })

  it('needs neither data nor the layout', async () => {
    const { app, mail, id } = await start()
    expect(await app.accounts.mail('plain', id)).toBe(true)
    expect(await mail('plain')).toMatchObject({ subject: 'Plain', text: 'Plain\n', html: '<p>Plain</p>' })
  })

  it('has the layout in the language of its recipient, with the parts that are given', async () => {
    const bare = (_: EmailFacts, __: undefined, layout: EmailLayout) =>
      layout({
        subject: 'Two\nlines',
        paragraphs: ['One'],
        button: { label: 'Los', url: 'https://a.example/' },
      })
    const { app, mail, users, id } = await start({ ownEmails: { bare } })
    const user = await users.findById(id)
    await users.update(id, { fields: { locale: 'de_AT' } }, user?.version ?? 0)
    await app.accounts.mail('bare', id)
    const sent = await mail('bare')
    expect([sent.subject, sent.text]).toEqual(['Two lines', 'One\n\nLos:\nhttps://a.example/\n'])
    expect(sent.html).toContain('lang="de"')
    expect(sent.html).toContain('Wenn die Schaltfläche')
  })

  it('goes to the address that the user has by then', async () => {
    const { app, mails: sent, users, id, mail } = await start()
    const user = await users.findById(id)
    await app.accounts.mail('plain', id)
    await users.update(id, { email: 'new@example.org', emailKey: 'new@example.org' }, user?.version ?? 0)
    expect((await mail('plain')).to.address).toBe('new@example.org')
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['unknown', {}, () => 'nobody'],
    ['without an address', {}, undefined],
    ['disabled', { email, isActive: false }, undefined],
  ])(
    'is for nobody if the user is %s',
    async (_, { isActive, ...user }: Parameters<typeof start>[1] & object, other) => {
      const { app, id, mails: sent } = await start({}, user)
      if (isActive === false) await app.accounts.updateUser(id, { isActive })
      expect(await app.accounts.mail('plain', other?.() ?? id)).toBe(false)
      await app.close()
      expect(sent).toEqual([])
    },
  )

  it.each([
    ['cyclic', () => Object.assign([], { 0: [] }).map(() => new Map())],
    ['a date', () => ({ at: new Date() })],
    ['a function', () => () => 1],
    ['an unset value in a list', () => [undefined]],
    ['no number', () => Number.NaN],
    ['a class', () => ({ of: new (class Plan {})() })],
  ])('refuses data that JSON does not keep: %s', async (_, data) => {
    const { app, id } = await start()
    await expect(app.accounts.mail('welcome', id, data())).rejects.toThrow('mail: data must be JSON')
  })

  it('keeps data of 16 KiB as it is, without properties that are unset, and refuses more', async () => {
    const seen: unknown[] = []
    const note = (_: EmailFacts, data: unknown) => {
      seen.push(data)
      return mails.plain()
    }
    const { app, id, mail } = await start({ ownEmails: { note } })
    const data = { list: [1, 'two', null, { is: true }], unset: undefined, text: 'ü\0' }
    await app.accounts.mail('note', id, data)
    await mail('note')
    expect(seen).toEqual([{ list: [1, 'two', null, { is: true }], text: 'ü\0' }])
    expect(Object.keys(seen[0] as object)).not.toContain('unset')
    expect(await app.accounts.mail('note', id, 'x'.repeat(16_382))).toBe(true)
    await expect(app.accounts.mail('note', id, 'ü'.repeat(8192))).rejects.toThrow('at most 16384 bytes')
  })

  it.each(['findById', 'add'])(
    'is unavailable, not sent or unsent, while %s of its store fails',
    async (call) => {
      let fails = false
      const users = createMemoryUserStore()
      const outbox = lastingOutbox()
      const failing =
        <Args extends unknown[], Result>(name: string, method: (...args: Args) => Promise<Result>) =>
        (...args: Args): Promise<Result> =>
          fails && name === call ? Promise.reject(new Error('connection lost')) : method(...args)
      const userStore = {
        ...users,
        findById: failing('findById', users.findById),
        outbox: { ...outbox, add: failing('add', outbox.add) },
      }
      const { app, id, mail } = await start({ userStore })
      fails = true
      await expect(app.accounts.mail('plain', id)).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
      expect(await outbox.count()).toEqual({ waiting: 0, dead: 0 })
      fails = false
      expect(await app.accounts.mail('plain', id)).toBe(true)
      await mail('plain')
    },
  )

  it('may be written by a promise', async () => {
    const { app, id, mail } = await start({ ownEmails: { plain: async () => mails.plain() } })
    await app.accounts.mail('plain', id)
    expect((await mail('plain')).subject).toBe('Plain')
  })

  it('waits in a process of a roll-out that lacks its template, for one that has it', async () => {
    const outbox = lastingOutbox()
    const postpone = vi.spyOn(outbox, 'postpone')
    const userStore: UserStore = { ...createMemoryUserStore(), outbox }
    const { app, id, mails: sent } = await start({ ownEmails: { other: mails.plain }, userStore })
    const realm = 'accounts:mails'
    await outbox.add([newPendingMail({ realm, kind: 'plain', userId: id, emailKey: null, to: null })])
    await expect
      .poll(() => postpone.mock.lastCall?.[1].error)
      .toContain('no feature sends emails of kind plain')
    await app.close()
    expect(sent).toEqual([])
    const { mail } = await testApp({ ownEmails: mails, userStore })
    expect((await mail('plain')).to.address).toBe(email)
  })

  it.each(['welcom', 'new-device', 'constructor', '__proto__'])(
    'must be in the option ownEmails: %s',
    async (kind) => {
      const { app, id } = await start()
      await expect(app.accounts.mail(kind, id)).rejects.toThrow(`mail: the option ownEmails has no ${kind}`)
    },
  )

  it.each<[object, string]>([
    [
      { 'new-device': mails.plain },
      'ownEmails.new-device is the name of a shipped email: the option emails replaces that',
    ],
    [{ Welcome: mails.plain }, 'ownEmails: a name must match'],
    [{ welcome: 'Welcome' }, 'ownEmails.welcome must be a function'],
    [[mails.plain], 'ownEmails must be an object'],
  ])('stops the start unless it has a name of its own and is a function: %j', async (given, message) => {
    await expect(testApp({ ownEmails: given as OwnEmails })).rejects.toThrow(
      `fastify-accounts: the option ${message}`,
    )
  })

  it('is given up with the others, and reported, if its button leads nowhere', async () => {
    const bad = (_: EmailFacts, __: undefined, layout: EmailLayout) =>
      layout({ subject: 'x', paragraphs: [], button: { label: 'Open', url: 'javascript:alert(1)' } })
    const { app, id, mails: sent } = await start({ ownEmails: { bad } })
    const failed: unknown[] = []
    app.accounts.events.on('mail-failed', ({ kind, userId }) => failed.push([kind, userId]))
    await app.accounts.mail('bad', id)
    await app.close()
    expect([sent, failed]).toEqual([[], [['bad', id]]])
  })
})

/** What a mailer waits for. */
function closedGate(): { opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('the limits of your own emails', () => {
  const throttle = () => ({ store: createMemoryThrottleStore() })

  it('are none at a proven address', async () => {
    const { app, id, mails: sent } = await start({ throttle: throttle() })
    for (let at = 0; at < 30; at += 1) await app.accounts.mail('plain', id)
    await app.close()
    expect(sent).toHaveLength(30)
  })

  it('are a few an hour at any other, apart from the links that its owner needs', async () => {
    const service = await start({ throttle: throttle() }, {})
    const owner = { username: 'ben', password: goodPassword, confirm_password: goodPassword, email }
    const signedUp = await service.send('POST', '/signup/', owner)
    const cookie = signedUp.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    for (let at = 0; at < 9; at += 1) await service.app.accounts.mail('plain', signedUp.json().id)
    const sent = () => service.mails.filter(({ kind }) => kind === 'plain').length
    await expect.poll(sent).toBe(5)
    // From the browser that signed up, it counts against the account as well.
    await service.send('POST', '/signup/v/', { email }, { headers: { cookie } })
    expect((await service.mail('verify-email')).to.address).toBe(email)
    expect(sent()).toBe(5)
  })

  it('let none of the other emails wait behind them', async () => {
    const gate = closedGate()
    const order: string[] = []
    const mailer = {
      async send({ kind }: { kind: string }) {
        order.push(kind)
        if (order.length <= 5) await gate.opened
      },
    }
    const outbox = lastingOutbox()
    const userStore: UserStore = { ...createMemoryUserStore(), outbox }
    const { app, id, send } = await start({ mailer, userStore })
    for (let at = 0; at < 60; at += 1) await app.accounts.mail('plain', id)
    await vi.waitUntil(() => order.length === 5, 60_000)
    await send('POST', '/forgot/', { email })
    await expect.poll(() => outbox.count('accounts')).toEqual({ waiting: 1, dead: 0 })
    expect((await app.accounts.check()).outbox.waiting).toBe(61)
    gate.open()
    await expect.poll(() => order.length).toBe(61)
    expect(order.indexOf('reset-password')).toBeLessThan(15)
  })

  it('are a thousand waiting in memory: then the call fails, and the others still have room', async () => {
    const gate = closedGate()
    const kinds: string[] = []
    const mailer = {
      async send({ kind }: { kind: string }) {
        kinds.push(kind)
        await gate.opened
      },
    }
    const { app, id, send } = await start({ mailer })
    for (let at = 0; at < 1000; at += 1) await app.accounts.mail('plain', id)
    await expect(app.accounts.mail('plain', id)).rejects.toMatchObject({ code: 'ACCOUNTS_UNAVAILABLE' })
    await send('POST', '/forgot/', { email })
    gate.open()
    await expect.poll(() => kinds).toContain('reset-password')
    await app.close()
    expect(kinds).toHaveLength(1001)
  })
})
