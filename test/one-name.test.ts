import { readFileSync } from 'node:fs'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import { accountsFiles, accountsSource, nodesOf, parse } from '@fastify-accounts/test-support/source'
import { afterAll, expect, test } from 'vitest'

/** What `app.accounts` has beside what a route does too. */
const hostOnly = [
  ...['requireUser', 'requireRecentLogin', 'requireSecondFactor', 'loadUser', 'userOf'],
  ...['findUser', 'setPassword', 'check', 'events'],
]
/** A service behind the routes of both variants, which have a name each; and three behind one route. */
const shared = {
  resendVerification: ['resendUserVerification', 'resendSignupVerification'],
  confirmPassword: ['confirm'],
  confirmFactor: ['confirm'],
  confirmWithCode: ['confirm'],
}

/** What else a feature has. */
const notServices =
  /\/(index|names|routes|texts|(.+-)?pages?)\.ts$|\/second-factor\/(factors|import|routes)\/|\/email-code\/codes\//

const { app, routes } = await mountedOperations()
afterAll(() => app.close())

test('each name begins with a verb', () => {
  expect(routes.size).toBeGreaterThan(30)
  const verbs =
    /^(log|show|list|create|add|start|update|rename|delete|remove|change|renew|confirm|check|undo|keep|release|report|request|reset|submit|end|open|verify|resend|sign)([A-Z]|$)/
  expect([...routes.keys()].filter((name) => !verbs.test(name))).toEqual([])
})

test('what the host calls has the name of the route that does the same', () => {
  const methods = Object.keys(app.accounts)
  expect(methods).toEqual(expect.arrayContaining(hostOnly))
  expect(methods.filter((name) => !routes.has(name) && !hostOnly.includes(name))).toEqual([])
})

test('a service has the name of its route, and its file too; what only the host calls says so', () => {
  const services = accountsFiles().filter(
    (file) => /^(services|features\/[^/]+)\//.test(file) && !notServices.test(file),
  )
  expect(services.length).toBeGreaterThan(20)
  for (const file of services) {
    const functions = [...nodesOf(parse(readFileSync(accountsSource + file, 'utf8'), file))]
      .filter((node) => node.type === 'ExportNamedDeclaration')
      .flatMap(({ declaration }) => [...nodesOf(declaration)].slice(0, 1))
      .filter((node) => node.type === 'FunctionDeclaration')
      .map((node) => (node.id as { name: string }).name)
    const [name = ''] = functions
    expect([file, functions]).toEqual([file, [name]])
    expect(file).toMatch(
      new RegExp(`/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}\\.ts$`),
    )
    const action = name.replace(/ByHost$/, '')
    const isKnown = routes.has(action) || hostOnly.includes(action) || Object.hasOwn(shared, action)
    expect([file, isKnown]).toEqual([file, true])
  }
  expect([...routes.keys()]).toEqual(expect.arrayContaining(Object.values(shared).flat()))
})
