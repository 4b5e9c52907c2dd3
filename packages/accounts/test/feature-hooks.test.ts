import { as, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import { type Feature, type FeatureHost, hostCall } from '../src/features/index.js'
import { AccountsError, type AccountsFeature, type AuditEvent, type HostCall } from '../src/index.js'

/** What a feature of another package brings, whose names no test can declare: they would be those of all tests. */
function featureOf(name: string, host: object): AccountsFeature {
  const feature: Feature = { name, host: () => host as FeatureHost }
  return feature
}

const found = (id: string) => Promise.resolve(id === 'chess' ? { id } : null)
const find = hostCall(
  'show-user',
  ['clubId'],
  () => found,
  (club) => (club === null ? undefined : null),
)

interface Clubs {
  find(id: string, call?: HostCall): Promise<{ id: string } | null>
  isOpen(): boolean
}

test('a feature adds a group of calls and hooks, whose calls are as all others', async () => {
  const feature = featureOf('clubs', {
    calls: { clubs: { find } },
    hooks: () => ({ clubs: { isOpen: () => true }, isClub: () => false }),
  })
  const { app, settle } = await testApp({ features: [feature] })
  const events: AuditEvent[] = []
  app.accounts.events.on('audit', (event) => events.push(event))
  const { clubs, isClub } = app.accounts as unknown as { clubs: Clubs; isClub(): boolean }
  expect([Object.keys(clubs).sort(), clubs.isOpen(), isClub()]).toEqual([['find', 'isOpen'], true, false])
  const call = { actor: 'desk-7', reason: 'ticket 4711' }
  expect([await clubs.find('chess', call), await clubs.find('go', call)]).toEqual([{ id: 'chess' }, null])
  await expect(clubs.find(7 as never)).rejects.toMatchObject({
    code: 'ACCOUNTS_INVALID_INPUT',
    cause: new TypeError('fastify-accounts: clubs.find expects clubId to be a string, got number'),
  })
  await settle()
  expect(events.map(({ action, outcome, host }) => [action, outcome, host])).toEqual([
    ['show-user', 'success', call],
    ['show-user', 'refused', call],
  ])
})

test.each([
  [[{ hooks: () => ({ findUser: () => {} }) }], /the call findUser, and so does the plugin/],
  [[{ hooks: () => ({ can: { do: () => {} } }) }], /the call can, and so does the plugin/],
  [[{ calls: { clubs: { find } } }, { calls: { clubs: { find } } }], /the call clubs, and so does another/],
  [
    [{ hooks: () => ({ clubs: {} }) }, { hooks: () => ({ clubs: {} }) }],
    /the hook clubs, and so does another/,
  ],
  [[{ calls: { clubs: find } }, { hooks: () => ({ clubs: {} }) }], /the hook clubs, and there is a call/],
  [
    [{ calls: { clubs: { find } } }, { hooks: () => ({ clubs: () => {} }) }],
    /the hook clubs, and there is a call/,
  ],
])('stops the start with names that are taken: %#', async (hosts, message) => {
  const features = hosts.map((host, at) => featureOf(`clubs-${at}`, host))
  await expect(testApp({ features })).rejects.toThrow(message)
})

test('a hook of a feature waits for its check, and refuses in the language of the request', async () => {
  let isIn = true
  const checked: string[] = []
  let hook: Parameters<NonNullable<FeatureHost['hooks']>>[0] | undefined
  const feature = featureOf('clubs', {
    hooks: (visitors: NonNullable<typeof hook>) => {
      hook = visitors
      return {}
    },
  })
  const service = await testApp(
    { features: [feature] },
    {
      before: (app) => {
        app.get('/club', async (request, reply) => {
          await hook?.hook(async ({ user, key, isService }) => {
            await Promise.resolve()
            checked.push(`${user.username} ${key} ${isService}`)
            if (!isIn) throw new AccountsError('ACCOUNTS_NOT_FOUND')
          })(request, reply)
          return { ok: true }
        })
      },
    },
  )
  expect((await service.send('GET', '/club')).statusCode).toBe(401)
  await signUp(service)
  const cookie = await logIn(service)
  expect((await service.send('GET', '/club', undefined, as(cookie))).json()).toEqual({ ok: true })
  isIn = false
  const headers = { cookie, 'accept-language': 'de' }
  const refused = await service.send('GET', '/club', undefined, { headers })
  expect([refused.statusCode, refused.json().message]).toEqual([404, 'Nicht gefunden.'])
  expect(checked).toEqual(['alice null false', 'alice null false'])
})
