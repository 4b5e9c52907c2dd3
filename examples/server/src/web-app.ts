import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, AccountUser, OwnMails } from 'fastify-accounts'
import type { Scope } from './api.js'
import type { Settings } from './config.js'
import { type Html, html } from './html.js'
import type { OwnFields } from './own-fields.js'
import { type Link, type PageParts, page } from './page.js'
import { accountPage } from './pages/account.js'
import {
  confirmAddressPage,
  forgottenPage,
  logInPage,
  type PageSettings,
  signUpPage,
} from './pages/entrance.js'
import { invitePage } from './pages/invite.js'
import { organizationPage, ownOrganizationsPage } from './pages/organizations.js'
import { usersPage } from './pages/users.js'
import { hasPasskeys } from './passkeys.js'
import type { ProviderButton } from './providers.js'
import type { roles } from './roles.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts<OwnFields, Scope, OwnMails, typeof roles>
  }
  interface FastifyRequest {
    user: AccountUser<OwnFields> | null
  }
}

/** A page of the app. */
interface AppPage {
  path: string
  title: string
  main(request: FastifyRequest, user: User | null): Html
  /** Where to redirect users this page isn't for; `null` for others. Default: no redirect. */
  elsewhere?(request: FastifyRequest, user: User | null): string | null
  script: string
  width?: PageParts['width']
  /** The header link that is marked as current. Default: its own. */
  under?: string
}

type User = AccountUser<OwnFields>

/**
 * Adds the web app on top of the library's routes: each page has its own path, and its script calls the routes. The
 * library's hook `loadUser` says who is logged in. All URLs are relative, so the app also works below a path.
 */
export async function mountWebApp(
  app: FastifyInstance,
  settings: Settings,
  providers: readonly ProviderButton[],
): Promise<void> {
  await serveFiles(app)
  for (const { path, title, main, elsewhere, script, width, under = path } of appPages(
    app,
    settings,
    providers,
  )) {
    app.get(`/${path}`, { onRequest: app.accounts.loadUser }, async (request, reply) => {
      const { user } = request
      const target = elsewhere?.(request, user) ?? null
      if (target !== null) return reply.header('cache-control', 'no-store').redirect(target)
      const links = linksFor(app, user, settings, under)
      return page(reply, { title, main: main(request, user), user, script, ...(width && { width }), links })
    })
  }
}

/** Where browsers are redirected from the root. */
export const firstPage = 'account'

function appPages(
  { accounts }: FastifyInstance,
  settings: Settings,
  providers: readonly ProviderButton[],
): AppPage[] {
  const facts = { ...pageSettings(settings), providers }
  const form = { script: 'entrance', width: 'form' } as const
  const pages: AppPage[] = [
    {
      ...form,
      path: 'log-in',
      title: 'Log in',
      elsewhere: (request, user) => (user === null ? null : behindLogin(queryOf(request).next)),
      main: (request) => logInPage(facts, Object.keys(queryOf(request))),
    },
    {
      ...form,
      path: 'forgotten-password',
      title: 'Forgot your password?',
      under: 'log-in',
      main: () => forgottenPage(facts),
    },
    {
      path: 'account',
      title: 'Your account',
      script: 'account',
      elsewhere: (_request, user) => (user === null ? 'log-in?next=account' : null),
      main: (_request, user) => accountPage(known(user), facts),
    },
  ]
  if (facts.creation !== null) {
    pages.push(
      {
        ...form,
        path: 'sign-up',
        title: 'Sign up',
        elsewhere: (_request, user) => (user === null ? null : 'account'),
        main: () => signUpPage(facts),
      },
      {
        ...form,
        path: 'confirm-address',
        title: 'Confirm your email address',
        under: 'log-in',
        main: () => confirmAddressPage(facts),
      },
    )
  }
  if (facts.creation !== null) {
    const under = 'account'
    const elsewhere = (_request: FastifyRequest, user: User | null) =>
      user === null ? 'log-in?next=my-organizations' : null
    pages.push(
      {
        path: 'my-organizations',
        under,
        title: 'Organizations',
        script: 'my-organizations',
        elsewhere,
        main: (_request, user) => ownOrganizationsPage(known(user), facts),
      },
      {
        path: 'organization',
        title: 'Organization',
        script: 'organization',
        under,
        elsewhere,
        main: (_request, user) => organizationPage(known(user), facts),
      },
    )
  }
  if (hasUserList(settings)) {
    pages.push({
      path: 'users',
      title: 'Users',
      script: 'users',
      // This only guards the page: the routes that it calls check authorization themselves.
      elsewhere: (_request, user) =>
        user === null ? 'log-in?next=users' : accounts.can(user, 'users:read') ? null : 'account',
      main: (request, user) => {
        const may = manages.filter((permission) => accounts.can(user, permission))
        return usersPage(known(user), facts, { may, search: queryOf(request).search ?? '' })
      },
    })
    pages.push({
      path: 'invite',
      title: 'Invitations',
      script: 'invite',
      under: 'users',
      elsewhere: (_request, user) =>
        user === null ? 'log-in?next=invite' : accounts.can(user, 'users:invite') ? null : 'account',
      main: (_request, user) =>
        invitePage(known(user), facts, { mayGrant: accounts.can(user, 'users:grant') }),
    })
  }
  return pages
}

/** What the page of users has buttons for. */
const manages = ['users:invite', 'users:disable', 'users:grant', 'users:delete'] as const

/** The page to return to after login. Only these, whatever the link says, so it can't redirect elsewhere. */
function behindLogin(next: string | undefined): string {
  return next !== undefined && ['users', 'invite', 'my-organizations'].includes(next) ? next : 'account'
}

/** The logged-in user; others were redirected. */
function known(user: User | null): User {
  if (user === null) throw new Error('nobody is logged in')
  return user
}

/** For an unknown path. */
export function lostPage(reply: FastifyReply, baseUrl: string): string {
  const main = html`<h1>Page not found</h1>
<p>There’s no page at this address.</p>
<p class="aside"><a href="${baseUrl}/">Back to the app</a></p>`
  return page(reply, { title: 'Page not found', main, width: 'form', base: baseUrl, links: [] })
}

/** The pages' scripts, built by scripts/bundle.mjs, and their stylesheet. */
async function serveFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    decorateReply: false,
    index: false,
    cacheControl: true,
    maxAge: 0,
    root: ['../dist/web', '../web'].map((folder) => fileURLToPath(new URL(folder, import.meta.url))),
    prefix: '/assets/',
    allowedPath: (path) => /^\/(chunks\/)?[\w-]+\.(js|css|svg)$/.test(path),
  })
}

function pageSettings({
  passwordMinLength,
  usersVariant,
  baseUrl,
}: Settings): Omit<PageSettings, 'providers'> {
  const creation = { user: 'user', signup: 'signup', both: 'signup', off: null } as const
  return { passwordMinLength, creation: creation[usersVariant], baseUrl, passkeys: hasPasskeys(baseUrl) }
}

function hasUserList({ usersVariant }: Settings): boolean {
  return usersVariant === 'user' || usersVariant === 'both'
}

function linksFor(
  { accounts }: FastifyInstance,
  user: User | null,
  settings: Settings,
  current: string,
): Link[] {
  const links: (Link & { when: boolean })[] = [
    { href: 'log-in', label: 'Log in', when: user === null },
    { href: 'sign-up', label: 'Sign up', when: user === null && settings.usersVariant !== 'off' },
    { href: 'account', label: 'Account', when: user !== null },
    { href: 'users', label: 'Users', when: accounts.can(user, 'users:read') && hasUserList(settings) },
    { href: 'dev/mailbox', label: 'Mailbox', when: settings.smtp === null },
    { href: 'start', label: 'API', when: true },
  ]
  return links.filter(({ when }) => when).map((link) => ({ ...link, current: link.href === current }))
}

function queryOf(request: FastifyRequest): Partial<Record<string, string>> {
  return Object.fromEntries(new URL(request.url, 'http://localhost').searchParams)
}
