import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkPath, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { create, get } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { deliveredBy, type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { FastifyReply, FastifyRequest, LightMyRequestResponse as Response } from 'fastify'
import { type AccountsError, apiKeys, secondFactor, tokens } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { choice } from './passwords.js'
import type { Service } from './service.js'
import { type App, appOf, canRefresh, isIn, minute, whoHas } from './token-clients.js'

const features = [tokens(), secondFactor()]

/** Somebody with a copy of an app's access token, and nothing else. */
function thiefOf(service: Service, { tokens: stolen }: App): TokenClient {
  const { access_token, token_type, expires_in } = stolen
  return Object.assign(tokenClient(service), { tokens: { access_token, token_type, expires_in } })
}

/** Turns on an authenticator app; its secret is chosen with the access token alone. */
async function setUp(client: TokenClient): Promise<{ secret: string; response: Response }> {
  const begun = await client.send('POST', '/second-factor/totp/')
  const { secret, token } = begun.json()
  const code = codeOf(secret)
  return { secret, response: await client.send('POST', '/second-factor/totp/confirm/', { code, token }) }
}

const addApp = async (client: TokenClient): Promise<Response> => (await setUp(client)).response

const given = (response: Response): string[] => Object.keys(deliveredBy(response) ?? {})
const both = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'refresh_expires_in']
const accessAlone = ['access_token', 'token_type', 'expires_in']

cases('Tokens', ({ rule }) => {
  rule(
    'TOK-31',
    {
      tried:
        'a stolen access token that turns on an authenticator app, adds another, and removes the password: alone, and with refresh tokens of another session, of another user, replaced, and made up',
      expected:
        'an access token alone, which ends when the stolen one would have, no known device, and no later login; then the session is over',
    },
    async ({ start, wait, sessions }) => {
      const service = await start({ features, login: { emailCode: true } })
      const add = async (username: string) => {
        const { id } = await signUp(service, username, { email: `${username}@example.org` })
        await service.app.accounts.updateUser(id, { isVerified: true })
        return { id, owner: await appOf(service, username) }
      }
      const { owner: stranger } = await add('mallory')
      await wait(0)
      const { id, owner } = await add('alice')
      await wait(10 * minute)
      const thief = thiefOf(service, owner)
      const first = await addApp(thief)
      expect([first.statusCode, given(first)]).toEqual([200, accessAlone])
      expect(deliveredBy(first)?.expires_in).toBeLessThanOrEqual(300)
      expect(first.headers['accounts-state']).toBeUndefined()
      await service.mail('factor-added', 'alice@example.org')
      await wait(3 * minute)
      const second = await addApp(thief)
      expect([second.statusCode, given(second), await whoHas(thief)]).toEqual([200, [], 'alice'])
      expect([await canRefresh(owner), await whoHas(owner)]).toEqual([false, null])
      await wait(3 * minute)
      expect(await whoHas(thief)).toBeNull()
      expect(await service.app.accounts.listSessions(id)).toEqual([])

      const others: Record<string, (app: App) => Promise<string | undefined>> = {
        'of another session': async () => (await appOf(service, 'bob')).tokens.refresh_token,
        'of another user': async () => stranger.tokens.refresh_token,
        async replaced(app) {
          const { refresh_token } = app.tokens
          for (let times = 0; times < 2; times += 1) {
            await app.refresh()
            await whoHas(app)
            await wait(minute)
          }
          return refresh_token
        },
        'made up': async ({ tokens: { access_token } }) => access_token.replace('fat_', 'far_'),
      }
      const bob = await add('bob')
      for (const [which, take] of Object.entries(others)) {
        const app = await appOf(service, 'bob')
        const refresh = (await take(app)) ?? 'none'
        const response = await thiefOf(service, app).send('DELETE', '/password/', undefined, {
          'accounts-refresh': refresh,
        })
        expect([which, response.statusCode, given(response)]).toEqual([which, 200, accessAlone])
        expect([which, await isIn(app)]).toEqual([which, false])
        await service.app.accounts.setPassword(bob.id, goodPassword)
      }
      expect((await sessions.listByUser(bob.id)).filter(({ expiresAt }) => expiresAt > soon())).toEqual([])
    },
  )

  rule(
    'TOK-32',
    {
      tried:
        'changes that end all other sessions, by an app with its refresh token, also after a lost response; with a password in place of it; and with a password alone on an account with a second factor',
      expected: 'both tokens, but not for a password alone where a login takes a factor as well',
    },
    async ({ start, wait }) => {
      const service = await start({ features })
      await signUp(service)
      await wait(0)
      const app = await appOf(service)
      const changed = { old_password: goodPassword, ...choice(otherPassword) }
      const proven = await thiefOf(service, app).send('POST', '/change-password/', changed)
      expect(given(proven)).toEqual(both)
      app.tokens = deliveredBy(proven) ?? app.tokens
      // The response to this refresh gets lost.
      await app.copy().refresh()
      await wait(5 * minute)
      const enrolled = await addApp(app)
      expect([enrolled.statusCode, given(enrolled)]).toEqual([200, both])
      expect([await canRefresh(app), await whoHas(app)]).toEqual([true, 'alice'])
      const back = { old_password: otherPassword, ...choice(goodPassword) }
      const alone = await thiefOf(service, app).send('POST', '/change-password/', back)
      expect(given(alone)).toEqual(accessAlone)
      expect(await isIn(app)).toBe(false)
    },
  )

  rule(
    'TOK-33',
    {
      tried: 'a stream opened with a stolen access token, checked again for days while the owner goes on',
      expected: 'it lasts one lifetime of an access token longer than the token itself',
    },
    async ({ start, wait }) => {
      const open: [FastifyRequest, FastifyReply][] = []
      const service = await start(
        { features },
        {
          before: (host) => {
            const enter = (request: FastifyRequest, reply: FastifyReply) =>
              host.accounts.requireUser(request, reply)
            host.get('/live', { onRequest: enter }, async (request, reply) => {
              open.push([request, reply])
              return {}
            })
          },
        },
      )
      await signUp(service)
      await wait(0)
      const owner = await appOf(service)
      await thiefOf(service, owner).send('GET', '/live')
      const [[request, reply] = []] = open
      if (request === undefined || reply === undefined) throw new Error('no stream is open')
      const { requireUser, requireRecentLogin } = service.app.accounts
      const ask = (check: typeof requireUser) =>
        check(request, reply).then(
          () => 'in',
          ({ code }: AccountsError) => code,
        )
      for (const [step, expected] of [
        [14, 'in'],
        [15, 'in'],
        [2, 'ACCOUNTS_LOGIN_REQUIRED'],
        [3 * 24 * 60, 'ACCOUNTS_LOGIN_REQUIRED'],
      ] as const) {
        await wait(step * minute)
        expect([await canRefresh(owner), await whoHas(owner)]).toEqual([true, 'alice'])
        expect([step, await ask(requireUser)]).toEqual([step, expected])
      }
      expect(await ask(requireRecentLogin)).toBe('ACCOUNTS_LOGIN_REQUIRED')
    },
  )

  rule(
    'TOK-34',
    {
      tried:
        'an API key, an authenticator app and a new password made with a stolen access token, by somebody who says that they are another browser; and by one whose session and key are named like a notice with a phone number',
      expected:
        'the owner is told of each, from which session by its name, with a link that ends keys, apps and sessions; but not by a name with a phone number',
    },
    async ({ start }) => {
      const service = await start(
        { features: [...features, apiKeys({ scopes: ['read'] })] },
        {
          before: (host) => {
            host.get(
              '/read',
              { onRequest: (request, reply) => host.accounts.requireScope('read')(request, reply) },
              () => 'ok',
            )
          },
        },
      )
      const email = 'alice@example.org'
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const thief = thiefOf(service, await appOf(service, 'alice', 'Phone evil.example'))
      const made = await thief.send('POST', '/api-keys/', { name: 'CI', scopes: ['read'] })
      const read = () =>
        service.send('GET', '/read', undefined, { headers: { authorization: `Bearer ${made.json().key}` } })
      expect((await read()).statusCode).toBe(200)
      const told = [await service.mail('api-key-added', email)]
      await addApp(thief)
      told.push(await service.mail('factor-added', email))
      await thief.send('POST', '/change-password/', { old_password: goodPassword, ...choice(otherPassword) })
      told.push(await service.mail('password-changed', email))
      for (const { text } of told) {
        expect(text).toContain('Phone evil')
        expect(text).not.toContain('evil.example')
      }
      for (const [username, name, device] of [
        ['bob', 'Your account is LOCKED Call +1 800 555 1234', /Device: unknown/],
        [
          'carol',
          `Your account is ${'locked '.repeat(6)}`,
          /Device: "Your account is locked locked locked lo…"/,
        ],
      ] as const) {
        const { id } = await signUp(service, username, { email: `${username}@example.org` })
        await service.app.accounts.updateUser(id, { isVerified: true })
        const app = await appOf(service, username, name)
        await app.send('POST', '/api-keys/', { name: 'Call 1.800.555.1234 now', scopes: ['read'] })
        const { text } = await service.mail('api-key-added', `${username}@example.org`)
        expect(text).toMatch(device)
        expect(text).not.toMatch(/LOCKED|800/)
      }
      expect((await read()).statusCode).toBe(200)
      const links = told.map(linkPath)
      for (const each of links) expect((await service.send('GET', each)).statusCode).toBe(200)
      const secured = await service.send('POST', links.at(-1) ?? '')
      expect([secured.statusCode, secured.json().removed]).toMatchObject([200, { apps: 1, api_keys: 1 }])
      expect((await read()).statusCode).toBe(401)
      expect(await whoHas(thief)).toBeNull()
      expect(await service.app.accounts.findUser({ id })).toMatchObject({ hasPassword: false })
      expect(await service.app.accounts.listSessions(id)).toEqual([])
    },
  )

  rule(
    'TOK-35',
    {
      tried:
        'a stolen access token that confirms with what was added by it: a first authenticator app and its recovery codes, new codes, a second app, and a passkey',
      expected:
        '403 without tokens, and nothing that outlives the token; its owner goes on, and confirms with what is older, also without the refresh token',
    },
    async ({ start, wait, sessions }) => {
      const service = await start({ features: [...features, passkeys()] })
      const add = async (username: string) => {
        const { id } = await signUp(service, username, { email: `${username}@example.org` })
        await service.app.accounts.updateUser(id, { isVerified: true })
        return { id, owner: await appOf(service, username) }
      }
      const refusalTo = async (thief: TokenClient, proof: object) => {
        const response = await thief.send('POST', '/confirm/', proof)
        return [
          response.statusCode,
          response.json().reason,
          given(response),
          response.headers['accounts-state'],
        ]
      }
      const refused = [403, 'just_added', [], undefined]
      /** Adds an app, and waits until it shows another code. */
      const withApp = async (client: TokenClient) => {
        const { secret, response } = await setUp(client)
        expect(response.statusCode).toBe(200)
        await wait(minute)
        return { secret, codes: response.json().recovery_codes as string[] }
      }
      await wait(0)
      const first = await add('bob')
      await wait(minute)
      const bobs = thiefOf(service, first.owner)
      const { secret, codes } = await withApp(bobs)
      expect(await refusalTo(bobs, { code: codeOf(secret) })).toEqual(refused)
      expect(await refusalTo(bobs, { code: codes[0] })).toEqual(refused)
      const rows = await sessions.listByUser(first.id)
      expect(rows.filter(({ expiresAt }) => expiresAt > soon())).toEqual([])

      const { owner } = await add('alice')
      const own = await withApp(owner)
      await owner.send('POST', '/confirm/', { code: codeOf(own.secret) })
      const thief = thiefOf(service, owner)
      await wait(minute)
      const renewed = (await thief.send('POST', '/second-factor/recovery-codes/')).json()
      expect(await refusalTo(thief, { code: renewed.recovery_codes[0] })).toEqual(refused)
      expect(await refusalTo(thief, { code: codeOf((await withApp(thief)).secret) })).toEqual(refused)
      const options = await thief.send('POST', '/passkeys/options/', { use: 'factor' })
      const { passkey, response } = create(options.json(), origin)
      expect((await thief.send('POST', '/passkeys/', { response })).statusCode).toBe(201)
      expect((await thief.send('PATCH', '/second-factor/', { passkeys: true })).statusCode).toBe(200)
      const asked = (await thief.send('POST', '/confirm/passkey/options/')).json()
      expect(await refusalTo(thief, { response: get(passkey, asked) })).toEqual(refused)

      const old = await thiefOf(service, owner).send('POST', '/confirm/', { code: codeOf(own.secret) })
      expect([old.statusCode, given(old)]).toEqual([200, both])
      expect([await canRefresh(owner), await whoHas(owner)]).toEqual([true, 'alice'])
      await wait(14 * minute)
      expect(await whoHas(thief)).toBeNull()
    },
  )
})

/** What has ended by itself may still be stored. */
const soon = () => new Date(Date.now() + 15 * minute)
