import { organizations } from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import type { Provider } from '@fastify-accounts/providers'
import { goodPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { confirm } from '@fastify-accounts/test-support/passkeys/second-step'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import {
  type AccountsOptions,
  apiKeys,
  createMemoryActivityStore,
  invitations,
  secondFactor,
} from 'fastify-accounts'
import type { Shown } from './pages-app.js'

export const ada = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }

/** Options with which every page is there but those of providers. */
export const everyFeature = (): Partial<AccountsOptions> => ({
  login: { emailCode: true },
  activity: createMemoryActivityStore(),
  features: [
    ...[passkeys(), secondFactor(), invitations(), organizations()],
    apiKeys({ scopes: { read: 'Read' } }),
  ],
})

export const isPage = (config: unknown): boolean =>
  (config as { accounts?: { isPage?: boolean } } | undefined)?.accounts?.isPage === true

/**
 * Creates Ada, with one of everything that has a page of its own: an authenticator app, an API key and another device.
 *
 * @param name of each thing that has one
 * @returns her browser, and her recovery codes
 */
export async function createAda(
  world: TestApp,
  name = 'Reports',
): Promise<{ id: string; browser: Visitor; codes: string[] }> {
  const { accounts } = world.app
  const { id } = await accounts.createUser(ada)
  const browser = visitor(world)
  await visitor(world).logIn('ada')
  await browser.logIn('ada')
  const [session] = [...browser.cookies].map((cookie) => cookie.join('='))
  const { cookie, codes } = await enroll(world, session, name)
  browser.take(cookie)
  await accounts.createApiKey(id, { name, scopes: ['read'] })
  return { id, browser, codes }
}

/** Creates an organization of Ada's, with Ben as another member and an invitation. */
export async function createOrganization({ app }: TestApp, ownerId: string, name = 'Acme'): Promise<void> {
  const { accounts } = app
  const person = { username: 'ben', password: goodPassword, email: 'ben@example.org', isVerified: true }
  const ben = await accounts.createUser(person)
  await accounts.organizations.create({ name, slug: 'acme', ownerId })
  await accounts.organizations.addMember('acme', ben.id, ['member'])
  await accounts.organizations.invite('acme', { email: 'cleo@example.org', roles: ['member'] })
}

/** Nobody goes there. */
export const demo: Provider = {
  ...{ name: 'demo', label: 'Demo', issuer: 'https://demo.example', clientId: 'app', clientSecret: 'x' },
}

/**
 * Creates Ada with everything that has a page of its own, also at the provider Demo and in an organization.
 *
 * @param name of each thing that has one
 * @returns her browser's cookies
 */
export async function createAll(world: TestApp, name?: string): Promise<ReadonlyMap<string, string>> {
  const { id, browser } = await createAda(world, name)
  const { passkey } = await browser.add({ name: name ?? 'Laptop' })
  const confirmed = await confirm(browser, passkey)
  if (confirmed.statusCode !== 204) throw new Error(confirmed.body)
  await createOrganization(world, id, name)
  const identity = { provider: 'demo', issuer: demo.issuer, subject: 'a1' }
  if (!(await world.app.accounts.addIdentity(id, identity))) throw new Error('no identity of Ada')
  return browser.cookies
}

/** Where the links of a page lead to in its app. */
export const linksOf = ({ html }: Pick<Shown, 'html'>): string[] =>
  [...html.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].map(([, to = '']) =>
    to.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  )
