import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Accounts, AccountUser, OwnEmails } from 'fastify-accounts'
import type { Scope } from './api.js'
import type { Settings } from './config.js'
import { html } from './html.js'
import type { OwnFields } from './own-fields.js'
import { homePage } from './pages/home.js'
import { invitePage } from './pages/invite.js'
import { usersPage } from './pages/users.js'
import type { roles } from './roles.js'
import type { Link, Site } from './site.js'
import { wantsPage } from './start-page.js'

declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts<OwnFields, Scope, OwnEmails, typeof roles>
  }
  interface FastifyRequest {
    user: AccountUser<OwnFields> | null
  }
}

type User = AccountUser<OwnFields>

/**
 * Adds the app's own pages: the first one, and those for staff, whose scripts call the routes. Everything that people do with
 * their own account is on the library's pages.
 */
export async function mountWebApp(
  app: FastifyInstance,
  settings: Settings,
  site: Site,
  asText: (reply: FastifyReply) => string,
): Promise<void> {
  const { accounts } = app
  await serveFiles(app)

  app.get('/', { onRequest: accounts.loadUser }, (request, reply) => {
    reply.header('vary', 'Accept')
    if (!wantsPage(request)) return asText(reply)
    const { user } = request
    const links = user === null ? entranceOf(app, settings) : linksFor(app, user, settings, site)
    const greeted = user && { name: user.username, roles: user.roles }
    return site.page(reply, {
      ...frameOf(app, user, settings),
      title: 'Home',
      main: homePage(greeted, links),
    })
  })
  if (!hasUserList(settings)) return

  // The guard leads to the login and back. The routes that the pages call check authorization themselves.
  const guarded = { onRequest: accounts.requireUser }
  app.get('/users', guarded, (request, reply) => {
    const user = accounts.userOf(request)
    if (!accounts.can(user, 'users:read')) return reply.redirect(site.pathOf(''))
    const may = manages.filter((permission) => accounts.can(user, permission))
    const { search = '' } = request.query as { search?: string }
    return site.page(reply, {
      ...frameOf(app, user, settings),
      ...{ title: 'Users', script: 'users', current: 'users' },
      main: usersPage(user, { may, search, creation: creationIn(settings) }),
    })
  })
  app.get('/invite', guarded, (request, reply) => {
    const user = accounts.userOf(request)
    if (!accounts.can(user, 'users:invite')) return reply.redirect(site.pathOf(''))
    return site.page(reply, {
      ...frameOf(app, user, settings),
      ...{ title: 'Invitations', script: 'invite', current: 'users' },
      main: invitePage({ mayGrant: accounts.can(user, 'users:grant') }),
    })
  })
}

/** What the page of users has buttons for. */
const manages = ['users:invite', 'users:disable', 'users:grant', 'users:delete'] as const

/** For an unknown path. */
export function lostPage(reply: FastifyReply, site: Site): string {
  const main = html`<h1>Page not found</h1>
<p>There’s no page at this address.</p>
<p class="aside"><a href="${site.pathOf('')}">Back to the app</a></p>`
  return site.page(reply, { title: 'Page not found', main, width: 'form' })
}

/** The scripts of the app's own pages, built by scripts/bundle.mjs, and the style sheets. */
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

/** The route where users are made. */
function creationIn({ usersVariant }: Settings): 'signup' | 'user' {
  return usersVariant === 'user' ? 'user' : 'signup'
}

function hasUserList({ usersVariant }: Settings): boolean {
  return usersVariant === 'user' || usersVariant === 'both'
}

function frameOf({ accounts }: FastifyInstance, user: User | null, settings: Settings) {
  const seesUsers = user !== null && hasUserList(settings) && accounts.can(user, 'users:read')
  return { isLoggedIn: user !== null, links: seesUsers ? [{ href: 'users', label: 'Users' }] : [] }
}

function entranceOf({ accounts: { pages } }: FastifyInstance, { usersVariant }: Settings): Link[] {
  return [
    { href: pages.url('login'), label: 'Log in' },
    ...(usersVariant === 'off' ? [] : [{ href: pages.url('signup'), label: 'Create an account' }]),
  ]
}

function linksFor({ accounts }: FastifyInstance, user: User, settings: Settings, { pathOf }: Site): Link[] {
  const links: (Link & { when: boolean })[] = [
    { href: accounts.pages.url('account'), label: 'Your account', when: true },
    {
      href: pathOf('account/organizations/'),
      label: 'Your organizations',
      when: settings.usersVariant !== 'off',
    },
    {
      href: pathOf('users'),
      label: 'Users',
      when: hasUserList(settings) && accounts.can(user, 'users:read'),
    },
    {
      href: pathOf('invite'),
      label: 'Invitations',
      when: hasUserList(settings) && accounts.can(user, 'users:invite'),
    },
  ]
  return links.filter(({ when }) => when)
}
