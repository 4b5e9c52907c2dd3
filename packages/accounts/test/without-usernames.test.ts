import fastifySwagger from '@fastify/swagger'
import { browser, goodPassword, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { causes, mailKinds, type OwnKind } from '@fastify-accounts/test-support/mails'
import { everyFeature } from '@fastify-accounts/test-support/operations'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { type AccountsOptions, invitations, type Mail, type SessionStore } from '../src/index.js'

/** The word in each language, and a name that an import has brought. */
const word = /user ?name|Benutzername|nom d[’']utilisateur|wonderland/i

/** Without usernames. */
const nameless: Partial<AccountsOptions> = {
  users: { names: 'none', variant: 'both' },
  requireEmailConfirmation: true,
  login: { emailCode: true },
}

const emailOf = (name: string) => (name.includes('@') ? name : `${name}@example.org`)
const withoutName = <Body extends { username?: string | null | undefined }>({
  username,
  ...others
}: Body) => ({
  ...(username && { email: emailOf(username) }),
  ...others,
})

/** An app that takes what is written for one with usernames, and puts addresses in their place. */
async function namelessApp(): Promise<TestApp<SessionStore>> {
  const service = await testApp({ ...nameless, features: [invitations()] })
  const { accounts } = service.app
  const createUser: typeof accounts.createUser = (input) =>
    accounts.createUser({ isVerified: true, ...withoutName(input) })
  return {
    ...service,
    app: Object.assign(Object.create(service.app), { accounts: { ...accounts, createUser } }),
    send(method, url, payload: { username?: string } | undefined, extra) {
      const { username = '' } = payload ?? {}
      const body =
        url === '/login/' ? { ...payload, username: emailOf(username) } : payload && withoutName(payload)
      return service.send(method, url, body, extra)
    },
  }
}

async function bringName({ users }: Pick<TestApp, 'users'>, email: string): Promise<void> {
  const user = await users.findByEmail(email)
  const username = `wonderland-${email.split('@')[0]}`
  const name = { username, usernameKey: username }
  await users.update(user?.id ?? '', name, user?.version ?? 0)
}

const mails: [string, (typeof causes)[OwnKind]][] = [
  ...Object.entries(causes),
  [
    'invitation',
    async (service, headers) => {
      await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
      await bringName(service, 'boss@example.org')
      const cookie = await logIn(service, 'boss')
      const body = { email: 'new@example.org' }
      await service.send('POST', '/invitations/', body, { headers: { ...headers, cookie } })
      return service.mail('invitation')
    },
  ],
  [
    'reset-password of an account that the app has made',
    async (service, headers) => {
      const email = 'bob@example.org'
      await service.app.accounts.createUser({ email, password: goodPassword, isVerified: false })
      await bringName(service, email)
      await service.send('POST', '/forgot/', { email }, { headers })
      return service.mail('reset-password', email)
    },
  ],
]
const weak = { new_password: 'x', confirm_password: 'x' }

/** The pages of a mail's links: opened, and used with a weak password and without one. */
async function pagesOf({ app }: Pick<TestApp, 'app'>, { text }: Mail, language: string): Promise<string[]> {
  const links = [...text.matchAll(/http:\/\/localhost:3000(\/\S+)/g)].map(([, path = '']) => path)
  const headers = { ...browser, 'accept-language': language }
  const pages: string[] = []
  for (const url of links)
    for (const request of [{}, { method: 'POST', payload: weak }, { method: 'POST' }] as const) {
      const response = await app.inject({ url, headers, ...request })
      if (response.body !== '') pages.push(response.body)
    }
  return pages
}

/** Without what only password managers read. */
const textOf = (html: string) => html.replaceAll(/ autocomplete="[^"]*"/g, '')

test.each(['en', 'de', 'fr'])('no mail or page says username in %s', async (language) => {
  let pages = 0
  for (const [kind, cause] of mails) {
    const service = await namelessApp()
    await service.app.accounts.createUser({ username: 'alice', password: goodPassword })
    await bringName(service, 'alice@example.org')
    const mail = await cause(service, { 'accept-language': language })
    expect(`${kind}: ${mail.subject} ${mail.text} ${textOf(mail.html ?? '')}`).not.toMatch(word)
    for (const page of await pagesOf(service, mail, language)) {
      pages += 1
      expect(page).toContain(`<html lang="${language}"`)
      expect(textOf(page)).not.toMatch(word)
    }
  }
  expect(pages).toBeGreaterThan(mailKinds.length)
})

/** Names of the wire that every app has, so one client fits all. */
const wire: Record<string, string[]> = {
  // The login's field, and the codes of errors.
  '/login/': ['username'],
  AccountsError: ['ACCOUNTS_USERNAME_TAKEN'],
  // Is `false`.
  AccountsValidInvitation: ['username_required'],
}
/** Services have usernames in every app, since they have no addresses. */
const ofServices = [
  '/service/',
  'AccountsService',
  'AccountsServiceList',
  'AccountsUsernameTakenError',
  'AccountsOrganizationMember',
  'AccountsOrganizationMemberList',
]

/** The names and texts of a document that say it. */
function saying(part: unknown): string[] {
  if (typeof part === 'string') return word.test(part) ? [part] : []
  const entries = Object.entries(part ?? {})
  return entries.flatMap(([name, inner]) => [...(word.test(name) ? [name] : []), ...saying(inner)])
}

test('nor does the OpenAPI document of an app with every feature', async () => {
  const openapi = { openapi: '3.1.0', info: { title: 'An app', version: '1.0.0' } }
  const before = (app: FastifyInstance) => app.register(fastifySwagger, { openapi })
  const { app } = await testApp({ ...nameless, features: await everyFeature() }, { before })
  const { paths, components, ...others } = app.swagger() as {
    paths: object
    components: { schemas: object }
  }
  const { schemas, ...furtherComponents } = components
  expect(saying([others, furtherComponents])).toEqual([])
  const parts = Object.entries({ ...paths, ...schemas }).map(([name, part]) => [name, saying(part)] as const)
  const found = parts.filter(([name, said]) => said.length > 0 && !ofServices.includes(name))
  expect(Object.fromEntries(found.map(([name, said]) => [name, [...new Set(said)]]))).toEqual(wire)
})
