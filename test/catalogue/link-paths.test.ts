import { passkeys } from '@fastify-accounts/passkeys'
import { type Provider, providers } from '@fastify-accounts/providers'
import {
  browser,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { startIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { read } from '@fastify-accounts/test-support/source'
import type { FastifyInstance } from 'fastify'
import { invitations, secondFactor, tokens } from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { releaseLink, resetLink, verifyLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const email = 'alice@example.org'
const fresh = 'alice@example.net'

/** What mail programs and chats take for the end of a link, as they send it. */
const marks = [
  ...[')', '>', '!', ',', ';', '*', "'", '%20', '%3E', '%22', '%E2%80%9D', '%3E%3E,', ').'],
  ...['&gt;', '&quot;', '&gt', '&apos;)', '&nbsp;&lt;'],
]
/** Behind the slash only: these could be part of a token. Browsers remove a dot there. */
const afterSlash = [...marks, '%26gt%3B', '_', '~', '>/']

let issuer: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

/** Every path of an emailed link and of a way to use one, as the router has it. */
type LinkPaths = Set<string>

/** An app with all features that email links, whose logger shows paths, as Fastify's does. */
async function startOn(
  { start }: Pick<Scene, 'start'>,
  before: (app: FastifyInstance) => unknown = () => {},
) {
  const paths: LinkPaths = new Set()
  const demo: Provider = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
  const service = await start(
    {
      users: { variant: 'both' },
      login: { emailCode: true },
      adapterTimeout: 600_000,
      session: { newDeviceMail: true },
      features: [secondFactor(), tokens(), invitations(), passkeys(), providers([demo])],
    },
    {
      server: { logger: { serializers: { req: ({ method, url }) => ({ method, url }) } } },
      async before(app) {
        app.addHook('onRoute', ({ url }) => {
          if (/:token\/([\w-]+\/)?$/.test(url)) paths.add(url)
        })
        await before(app)
      },
    },
  )
  return { ...service, paths }
}

/** A working link of each kind that an account has at a time. */
async function workingLinks(service: Service): Promise<string[]> {
  await signUp(service, 'alice', { email })
  const verify = await verifyLink(service, email)
  const headers = { cookie: await logIn(service, 'alice') }
  await service.send('POST', '/change-email/', { email: fresh }, { headers })
  const change = await service.mail('change-email', fresh)
  for (const username of ['bob', 'carol']) {
    const input = { username, email: `${username}@example.org`, password: goodPassword, isVerified: true }
    await service.app.accounts.createUser(input)
  }
  await logIn(service, 'bob')
  await logIn(service, 'bob')
  await service.app.accounts.invite({ email: 'guest@example.org' })
  return [
    verify,
    linkTarget(change),
    releaseLink(change),
    linkPath(await service.mail('new-device', 'bob@example.org')),
    linkPath(await service.mail('invitation', 'guest@example.org')),
    await resetLink(service, 'carol@example.org'),
  ]
}

const onMemory = { on: 'memory', because: 'the path is read before any store is called' } as const

cases('Logging', ({ rule }) => {
  rule(
    'LGG-08',
    {
      tried:
        'each emailed link with what mail programs and chats add to it: brackets, quotes, stops, spaces, in its path, below it and in its query; looked at, pressed, with each method; the same with links that are invalid, and with words below them; the host logs paths',
      expected:
        'the link works, as a page and as JSON; invalid ones get the page for that; no response and no line of the log has the token',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene)
      const links = await workingLinks(service)
      const json = { accept: 'application/json' }
      const inject = (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', url: string, headers = {}) =>
        service.app.inject({ method, url, headers })
      const tokenOf = (url: string) => url.split('?')[0]?.split('/').at(-2) ?? ''

      for (const link of links) {
        const mangled = link.includes('?')
          ? marks.map((mark) => link + mark)
          : [...afterSlash.map((mark) => link + mark), ...marks.map((mark) => link.slice(0, -1) + mark)]
        for (const [n, url] of mangled.entries()) {
          const page = await inject('GET', url, browser)
          const type = page.headers['content-type']
          expect([url, page.statusCode, type]).toEqual([url, 200, 'text/html; charset=utf-8'])
          if (n > 0) continue
          expect((await inject('HEAD', url, browser)).statusCode).toBe(200)
          // The verification link's GET with JSON verifies.
          if (!link.startsWith('/user/v/')) expect((await inject('GET', url, json)).statusCode).toBe(200)
        }
      }
      // Anything but marks isn't the link: neither shown nor used.
      for (const link of links.filter((each) => !each.includes('?'))) {
        for (const more of ['more', ')more', '&more;', '&gtmore;', '%00', '%0d%0aBcc:%20a', 'a/b/c']) {
          const shown = await inject('GET', link + more, browser)
          expect([shown.statusCode, shown.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
          expect(shown.body).not.toContain(tokenOf(link))
          expect((await inject('POST', link + more, json)).body).not.toContain(tokenOf(link))
        }
      }
      const [verify = '', change = '', release = '', notMe = '', invitation = '', reset = ''] = links
      const form = choice(otherPassword)
      expect(
        (await service.send('POST', `${invitation}%3E`, { username: 'victor', ...form })).statusCode,
      ).toBe(200)
      expect(
        (await service.send('POST', `${verify.slice(0, -1)})/password/`, { password: goodPassword }))
          .statusCode,
      ).toBe(200)
      expect((await service.send('POST', `${change}!`)).statusCode).toBe(200)
      expect((await service.send('POST', `${release})`)).statusCode).toBe(200)
      expect((await service.send('POST', `${reset}"`, form)).statusCode).toBe(204)
      expect((await service.send('POST', `${notMe}%20`)).statusCode).toBe(200)

      // Each path, also those without a link above.
      expect([...service.paths]).toContain('/user/v/:uid64/:token/passkey/')
      const token = 'a-token-that-nobody-has-signed-but-looks-like-one-of-the-links'
      scene.log.secrets.add('token', token)
      for (const path of service.paths) {
        const link = path.replace(':uid64', 'dQ').replace(':token', token)
        for (const url of [`${link})`, `${link}%20`, `${link}more/words`, `${link.slice(0, -1)}%3E`]) {
          for (const [method, ...statuses] of [
            // Where only a POST is, others are refused for their method.
            ['GET', 400, ...(path.endsWith(':token/') ? [] : [405])],
            ['HEAD', 400, ...(path.endsWith(':token/') ? [] : [405])],
            ['POST', 400],
            ['PUT', 405],
          ] as const) {
            for (const headers of [browser, json]) {
              const response = await inject(method, url, headers)
              expect([method, url, statuses]).toEqual([
                method,
                url,
                expect.arrayContaining([response.statusCode]),
              ])
              expect(response.body).not.toContain(token)
            }
          }
        }
      }
    },
  )

  rule(
    'LGG-09',
    {
      tried:
        'preflights of each emailed link, before it is used, from an app on another origin; the host has @fastify/cors, and logs paths',
      expected: 'its hook answers them, as on any route; no line of the log has the token',
      ...onMemory,
    },
    async (scene) => {
      const service = await startOn(scene, (app) => app.register(cors))
      const preflight = (url: string) =>
        service.app.inject({
          method: 'OPTIONS',
          url,
          headers: { origin, 'access-control-request-method': 'POST' },
        })
      const token = 'a-token-that-nobody-has-signed-but-looks-like-one-of-the-links'
      scene.log.secrets.add('token', token)
      const paths = [...service.paths].map((path) => path.replace(':uid64', 'dQ').replace(':token', token))
      expect(paths.length).toBeGreaterThan(9)
      for (const link of [...(await workingLinks(service)), ...paths]) {
        for (const url of [link, link.replace(/\/(?=\?|$)/, ''), `${link})`]) {
          const { statusCode, headers, body } = await preflight(url)
          expect([url, statusCode, headers['access-control-allow-origin'], body]).toEqual([
            url,
            204,
            origin,
            '',
          ])
        }
      }
      // Without a link in it, a path is the host's.
      expect((await preflight('/login/')).statusCode).toBe(204)
      expect(scene.log.text()).toContain('"url":"/login/"')
      // What the hook leaves to the route.
      const { statusCode, headers } = await service.app.inject({ method: 'OPTIONS', url: paths[0] ?? '' })
      expect([statusCode, headers.allow]).toEqual([204, 'GET, HEAD, POST'])
    },
  )

  rule(
    'LGG-10',
    {
      tried:
        'a proxy that logs paths, except those that docs/deployment.md lists, with every feature that emails links',
      expected:
        'each route of a link is below one of the listed paths, and each listed path is that of a link',
      on: 'memory',
      because: 'it compares the page with the router',
    },
    async (scene) => {
      const { paths } = await startOn(scene)
      const [line = ''] = /^- \*\*The proxy\*\*.*$/m.exec(read('docs/deployment.md')) ?? []
      const listed = [...line.matchAll(/`(\/[^`]+\/)`/g)].map(([, path = '']) => path)
      const isListed = (path: string) => listed.some((each) => path.startsWith(each))
      expect([...paths].filter((path) => !isListed(path))).toEqual([])
      const isUsed = (each: string) => [...paths].some((path) => path.startsWith(each))
      expect(listed.filter((each) => !isUsed(each))).toEqual([])
    },
  )
})

const origin = 'https://app.example.org'

/** As @fastify/cors does: a hook answers preflights, wherever they are routed, and a route makes Fastify take them. */
const cors = Object.assign(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', async ({ method, headers }, reply) => {
      reply.header('access-control-allow-origin', origin)
      if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
        return reply.code(204).send()
    })
    app.options('*', async (_request, reply) => reply.callNotFound())
  },
  { [Symbol.for('skip-override')]: true, [Symbol.for('plugin-meta')]: { name: '@fastify/cors' } },
)
