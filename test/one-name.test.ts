import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import {
  accountsFiles,
  accountsSource,
  nodesOf,
  parse,
  read,
  root,
  typeScriptIn,
} from '@fastify-accounts/test-support/source'
import { afterAll, expect, test } from 'vitest'

/** Members of `app.accounts` that do what no route does. */
const hostOnly = [
  ...['requireUser', 'requireRecentLogin', 'requireSecondFactor', 'loadUser', 'userOf', 'refuseCrossSite'],
  ...['requireScope', 'keyOf', 'requirePermission', 'can', 'mail', 'perform', 'check', 'events'],
  // Their routes are those of @fastify-accounts/providers.
  ...['listIdentities', 'addIdentity', 'removeIdentity'],
]
/** Services shared by the differently named routes of both variants, and several behind one route. */
const shared = {
  resendVerification: ['resendUserVerification', 'resendSignupVerification'],
  verifyAsMaker: ['verifyUserWithPassword', 'verifySignupWithPassword'],
  verifyAnew: ['verifyUserWithNewPassword', 'verifySignupWithNewPassword'],
  confirmPassword: ['confirm'],
  confirmFactor: ['confirm'],
  confirmWithCode: ['confirm'],
}

/** Other files of a feature, and of the host's calls. */
const notServices =
  /\/(index|names|host|routes|schemas|texts|user-list|list-query|settings|(.+-)?(pages?|button|routes|keys|facts))\.ts$|\/host\/(bind-|host-)|\/second-factor\/(factors|import|routes)\/|\/activity\/subscriber\/|\/api-keys\/keys\/|\/invitations\/invited\/|\/verification\/routes\/|\/confirmation\/confirmation-code\.ts$|\/staff\/find-by-start\.ts$/

const { app, routes, mounted } = await mountedOperations()
afterAll(() => app.close())
/** What routes name as the method that does the same. */
const hostCalls = Array.from(mounted.values(), ({ operation }) => operation.host?.slice(0, -2))
const isOfHost = (name: string) => hostOnly.includes(name) || hostCalls.includes(name)

test('each name starts with a verb', () => {
  expect(routes.size).toBeGreaterThan(30)
  const verbs = [
    ...['accept', 'invite', 'withdraw', 'log', 'show', 'list', 'create', 'add', 'start', 'update', 'rename'],
    ...['delete', 'remove', 'change', 'renew', 'confirm', 'check', 'undo', 'keep', 'release', 'report'],
    ...['refresh', 'request', 'reset', 'revoke', 'submit', 'end', 'open', 'verify', 'resend', 'sign'],
    // Ones that a next route may need.
    ...[
      'set',
      'clear',
      'choose',
      'dismiss',
      'disable',
      'enable',
      'export',
      'forget',
      'hide',
      'join',
      'leave',
    ],
    ...[
      'cancel',
      'lock',
      'mark',
      'move',
      'pause',
      'resume',
      'restore',
      'save',
      'send',
      'switch',
      'transfer',
      'unlock',
    ],
  ]
  const isVerb = new RegExp(`^(${verbs.join('|')})([A-Z]|$)`)
  expect(
    [...routes.keys()].filter((name) => !isVerb.test(name)),
    'a verb comes first; if it is one, add it to this list',
  ).toEqual([])
})

test('methods for the host are named like the routes that do the same', () => {
  const methods = Object.keys(app.accounts)
  expect(methods).toEqual(expect.arrayContaining(hostOnly))
  expect(methods.filter((name) => !routes.has(name) && !isOfHost(name))).toEqual([])
})

test('services and their files are named like their routes, host-only ones with ByHost', () => {
  const services = accountsFiles().filter(
    (file) =>
      /^(features\/[^/]+\/|start\/host\/|users\/(create|delete)-user)/.test(file) && !notServices.test(file),
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
    const isKnown = routes.has(action) || isOfHost(action) || Object.hasOwn(shared, action)
    expect([file, isKnown]).toEqual([file, true])
  }
  expect([...routes.keys()]).toEqual(expect.arrayContaining(Object.values(shared).flat()))
})

test('each exported type of packages/accounts/src has a name of its own', () => {
  const names = accountsFiles().flatMap((file) =>
    [...nodesOf(parse(readFileSync(accountsSource + file, 'utf8'), file))]
      .filter(({ type }) => type === 'ExportNamedDeclaration')
      .flatMap(({ declaration }) => [...nodesOf(declaration)].slice(0, 1))
      .filter(({ type }) => /^TS(Interface|TypeAlias)|^Class/.test(type))
      .map(({ id }) => (id as { name: string }).name),
  )
  expect(names.length).toBeGreaterThan(300)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('values, parameters and properties are named by nouns that say what they are', () => {
  const vague = ['given', 'asked', 'known', 'made']
  // Part of what is stored of an invitation.
  const stored = /^accounts\/src\/(users\/invitation|features\/invitations\/.*)\.ts made$/
  const folders = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/src`))
  const found = folders.flatMap((folder) =>
    typeScriptIn(`${root}packages/${folder}/src/`).flatMap((file) =>
      [...nodesOf(parse(read(`packages/${folder}/src/${file}`), file))]
        .filter(({ type, name }) => /Identifier$/.test(type) && vague.includes(name as string))
        .map(({ name }) => `${folder}/src/${file} ${name}`),
    ),
  )
  expect([...new Set(found)].filter((each) => !stored.test(each))).toEqual([])
})
