import type { PagesOptions } from '@fastify-accounts/pages'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { registerSession } from '@fastify-accounts/test-support/host-session'
import { logInAs } from '@fastify-accounts/testing'
import { type AccountsOptions, secondFactor } from 'fastify-accounts'
import { noPassword } from 'fastify-accounts/features'
import { expect, it } from 'vitest'
import { ada, createAll, demo, everyFeature, isPage, linksOf } from './every-feature.js'
import { lackingIn } from './lacking.js'
import { type Browser, browser, pagesApp } from './pages-app.js'
import { pathOf } from './walk.js'

/** A way to use the package, and somebody who is logged in there. */
interface Configuration {
  options?: Partial<AccountsOptions>
  own?: PagesOptions
  before?: Parameters<typeof pagesApp>[2]
  /** Default: Ada, with a password and a confirmed address. */
  account?: Parameters<TestApp['app']['accounts']['createUser']>[0]
  /** Default `true`. */
  hasPassword?: boolean
  /** Creates what the account has, and resolves to the cookies of its owner's browser. */
  createAll?: (world: TestApp) => Promise<ReadonlyMap<string, string>>
  /** Default: `en`. */
  language?: string
  /** What pages link to that is no page of this app. */
  elsewhere?: readonly string[]
}

const every = everyFeature()
const all = { ...every, features: [...(every.features ?? []), providers([demo])] }

/** Own fields of each kind. Some have no title, so their labels are made of their names. */
const fields = {
  type: 'object',
  properties: {
    nickname: { type: 'string', title: 'Nickname', description: 'Shown to others.', maxLength: 40 },
    about_you: { type: ['string', 'null'], maxLength: 2000 },
    plan: { title: 'Plan', anyOf: [{ const: 's', title: 'Small' }, { const: 'l' }, { type: 'null' }] },
    seats: { title: 'Seats', enum: [1, 5, null], default: 5 },
    height: { type: ['number', 'null'], title: 'Height' },
    age: { type: 'integer', title: 'Age', default: 18 },
    website: { type: 'string', format: 'uri', title: 'Website' },
    birthday: { type: 'string', format: 'date', title: 'Birthday' },
    news: { type: 'boolean', title: 'Send me news', default: true },
    member_since: { type: 'string', readOnly: true, default: '2026' },
    is_tested: { type: 'boolean', title: 'Tested', readOnly: true },
    level: { title: 'Level', enum: ['gold', 'silver'], readOnly: true },
    source: { type: 'string', 'x-page': false },
  },
} as const
const terms = { type: 'boolean', const: true, title: 'I accept the terms' } as const
const signUp = { fields: { type: 'object', properties: { terms }, required: ['terms'] } } as const
const values = {
  nickname: 'Addy',
  about_you: null,
  plan: null,
  height: 1.7,
  website: 'https://ada.example',
  is_tested: false,
}

const configurations: Readonly<Record<string, Configuration>> = {
  'nobody signs up, and an account has no address': {
    options: { users: false },
    account: { username: 'ada', password: goodPassword },
  },
  'accounts have no usernames, and log in by codes': {
    options: { users: { names: 'none' }, login: { emailCode: true }, requireEmailConfirmation: true },
    account: { email: 'ada@example.org', password: goodPassword, isVerified: true },
    hasPassword: false,
    language: 'de',
  },
  'usernames are optional': {
    options: { users: { names: 'optional' } },
    account: { email: 'ada@example.org', password: goodPassword, isVerified: false },
    language: 'fr',
  },
  'the session is the app’s own, so there is no list of devices': { before: registerSession },
  'a dark site has logos of its own and one language': {
    options: {
      languages: { offered: ['de'] },
      brand: {
        ...{ name: 'Acme', url: '/', logo: 'http://localhost:3000/logo.svg', scheme: 'dark' },
        ...{ darkLogo: 'http://localhost:3000/dark.svg', icon: '/icon.svg', stylesheet: '/acme.css' },
      },
    },
    elsewhere: ['/'],
  },
  'a light site has its logos elsewhere, links, a footer and a prefix': {
    options: {
      ...{ ...all, prefix: '/members' },
      brand: {
        ...{
          name: 'Acme',
          url: 'https://acme.example/',
          logo: 'https://cdn.example/logo.svg',
          scheme: 'light',
        },
        ...{ darkLogo: 'https://cdn.example/dark.svg', footer: 'Acme Inc', about: 'Acme sells anvils.' },
        links: { privacy: '/privacy', terms: '/terms', imprint: 'https://acme.example/imprint' },
      },
    },
    own: { landing: { in: '/secret/', out: '/' } },
    elsewhere: ['/privacy', '/terms', '/'],
  },
  'every feature is on and nothing is set up': { options: all },
  'every feature is on and everything is set up': { options: all, createAll },
  'every feature is on and an account has no password, in German': {
    options: all,
    hasPassword: false,
    language: 'de',
  },
  'somebody must turn on a second factor': {
    options: {
      ...all,
      features: [
        ...all.features.filter(({ name }) => name !== 'second-factor'),
        secondFactor({ requiredFor: () => true }),
      ],
    },
  },
  'own fields of each kind have values': {
    options: { users: { fields }, signUp },
    account: { ...ada, fields: values },
  },
  'own fields of each kind have no value, in French': {
    options: {
      users: { names: 'none', fields },
      signUp,
      languages: { texts: { fr: { own_fields: { plan: { title: 'Formule', enum: { s: 'Petite' } } } } } },
    },
    account: { email: 'ada@example.org', password: goodPassword, isVerified: true },
    language: 'fr',
  },
}

it.each(Object.entries(configurations))('shows all of each page where %s', async (_, configuration) => {
  const {
    options = {},
    own = {},
    before,
    account = ada,
    hasPassword = true,
    language = 'en',
    elsewhere = [],
  } = configuration
  const starts = new Set<string>()
  const world = await pagesApp(own, options, async (app) => {
    app.addHook('onRoute', ({ url, config }) => {
      if (isPage(config) && url.endsWith('/') && !url.includes(':')) starts.add(url)
    })
    await before?.(app)
  })
  const headers = { 'accept-language': language }
  const owner = browser(world.app, headers)
  if (configuration.createAll !== undefined)
    for (const [name, value] of await configuration.createAll(world)) owner.cookies.set(name, value)
  else {
    const { id } = await world.app.accounts.createUser(account)
    const { version = 0 } = (await world.users.findById(id)) ?? {}
    if (!hasPassword) await world.users.update(id, { passwordHash: noPassword }, version)
    for (const cookie of (await logInAs(world.app, { id })).cookie.split('; ')) {
      const [name = '', ...value] = cookie.split('=')
      owner.cookies.set(name, value.join('='))
    }
  }
  const asVisitor = await crawl(browser(world.app, headers), starts, elsewhere)
  const asOwner = await crawl(owner, starts, elsewhere)
  expect([...asVisitor.troubles, ...asOwner.troubles]).toEqual([])
  expect([...asOwner.shown].filter((path) => path.includes('/account/')).length).toBeGreaterThan(3)
})

/** Opens pages and those that their links lead to. */
async function crawl(
  visitor: Browser,
  starts: ReadonlySet<string>,
  elsewhere: readonly string[],
): Promise<{ shown: Set<string>; troubles: string[] }> {
  const queue = new Map([...starts].map((url) => [url, 'a route']))
  const shown = new Set<string>()
  const troubles: string[] = []
  for (const [url, from] of queue) {
    if (elsewhere.includes(url)) continue
    const page = await visitor.open(url)
    if (page.status >= 400 && from !== 'a route') troubles.push(`${from} links to ${url}: ${page.status}`)
    const path = pathOf(page.url)
    if (shown.has(path) && path !== pathOf(url)) continue
    shown.add(path)
    troubles.push(...lackingIn(page).map((trouble) => `${url}: ${trouble}`))
    for (const to of linksOf(page)) if (!queue.has(to)) queue.set(to, url)
  }
  return { shown, troubles }
}
