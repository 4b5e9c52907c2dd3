import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { goodPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** The files of src that contain this, other than where it is defined. */
function filesWith(pattern: RegExp, definedIn: string): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== definedIn)
    .filter((file) => pattern.test(readFileSync(source + file, 'utf8')))
    .sort()
}

test('sessions start in one place, where logins are finished', () => {
  expect(filesWith(/\bown: 'begin',[^}]*\bclient\b/, 'sessions/session-keeper.ts')).toEqual([
    'logins/finish-login.ts',
  ])
  expect(filesWith(/\bfinishLogin\(/, 'logins/finish-login.ts')).toEqual([
    'features/email-code/routes.ts',
    'features/login/routes.ts',
    'features/second-factor/routes/login.ts',
    'logins/enter-on-proof.ts',
    'start/host/log-in-by-host.ts',
  ])
  // Nothing else creates session rows, except for single-use values, whose rows belong to nobody.
  expect(filesWith(/\bsessions\.create\(/, 'sessions/session-keeper.ts')).toEqual(['sessions/single-use.ts'])
  // One file decides whether a user and their sessions are changed in one write; the other only repeats that write.
  expect(filesWith(/\bupdateWithSessions\(/, 'emails/post-office.ts')).toEqual([
    'sessions/user-updates.ts',
    'users/free-lapsed.ts',
  ])
})

test('of all routes, only login gives a session in return for a correct body without a cookie', async () => {
  const routes: { method: 'GET'; url: string }[] = []
  const service = await testApp(
    { throttle: false },
    {
      before: (app) => {
        app.addHook('onRoute', ({ method, url }) => {
          for (const each of [method].flat()) routes.push({ method: each as 'GET', url })
        })
      },
    },
  )
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const body = { username: 'alice', password: goodPassword, email: 'alice@example.org' }
  const given: string[] = []
  for (const { method, url } of routes.filter(({ method }) => /^(GET|POST|PATCH|DELETE)$/.test(method))) {
    const path = url.replace(':pk', user.id).replace(/:\w+/g, 'x')
    const fields = /login|forgot|resend/.test(url) ? pick(body, url) : body
    const response = await service.send(method, path, method === 'GET' ? undefined : fields)
    if (response.cookies.some(({ name }) => name === 'session')) given.push(`${method} ${url}`)
  }
  expect(given).toEqual(['POST /login/', 'POST /login'])
})

function pick(body: Record<string, string>, url: string): object {
  const names = url.includes('login') ? ['username', 'password'] : ['email']
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}
