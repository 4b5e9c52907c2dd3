import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cheapHashes } from '@fastify-accounts/test-support/depth'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isInstalled } from './support/installed.js'

const here = dirname(fileURLToPath(new URL('.', import.meta.url)))
const jestFolder = join(here, 'jest')

/** Files in a folder from which the built packages can be resolved. */
function folderWith(files: Record<string, string>): string {
  mkdirSync(join(here, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(here, 'dist/framework-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function run(folder: string, args: string[]) {
  const env = {
    PATH: process.env.PATH,
    SECRET: 'a test needs no better secret than this one',
    ...cheapHashes,
  }
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
}

const options = `{ secret: 'a test needs no better secret than this one', baseUrl: 'http://localhost', users: true }`
const story = `
  const password = 'seven-green-lanterns'
  const post = (url, payload) => app.inject({ method: 'POST', url, payload })
  await post('/signup/', { username: 'ada', password, confirm_password: password })
  const login = await post('/login/', { username: 'ada', password })
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
`

it("logs in on NestJS's Fastify adapter", () => {
  const folder = folderWith({
    'package.json': '{"type":"module"}',
    'app.js': `
import 'reflect-metadata'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import accounts from 'fastify-accounts'

class Hello {
  hello(request) {
    return { hello: request.user?.username ?? null }
  }
}
Controller()(Hello)
Get('/hello')(Hello.prototype, 'hello', Object.getOwnPropertyDescriptor(Hello.prototype, 'hello'))
Req()(Hello.prototype, 'hello', 0)
class AppModule {}
Module({ controllers: [Hello] })(AppModule)

const nest = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] })
await nest.register(accounts, ${options})
const app = nest.getHttpAdapter().getInstance()
app.addHook('onRequest', (request, reply) =>
  request.url === '/hello' ? app.accounts.requireUser(request, reply) : Promise.resolve())
await nest.init()
await app.ready()
${story}
const known = await app.inject({ url: '/hello', cookies })
const stranger = await app.inject('/hello')
const wrong = await post('/login/', { username: 'ada', password: 'wrong' })
await nest.close()
console.log(JSON.stringify([login.statusCode, known.json().hello]))
console.log(JSON.stringify([stranger, wrong].map((each) => each.json())))
process.exit(0)
`,
  })
  const { stdout, stderr } = run(folder, ['app.js'])
  const [login, refusals = 'null'] = stdout.split('\n')
  expect({ login, stderr }).toMatchObject({ login: '[200,"ada"]' })
  // On the app's own route formatted by Nest's own exception filter, which only keeps the status.
  expect(JSON.parse(refusals)).toEqual([
    { statusCode: 401, message: 'Log in first.' },
    {
      statusCode: 401,
      code: 'ACCOUNTS_INVALID_CREDENTIALS',
      error: 'Unauthorized',
      message: 'Incorrect login details.',
    },
  ])
})

describe('the frameworks of the guides', () => {
  beforeAll(() => {
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    const { status, stdout } = run(here, [tsc, '-p', 'frameworks'])
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  /** A compiled app's responses to a stranger and to ada. */
  function responses(name: string, start: string, calls: Record<string, string>) {
    const folder = folderWith({
      'package.json': '{"type":"module"}',
      'visit.js': `
import { createApp } from '../frameworks/${name}.js'
const made = await createApp()
${start}
const password = 'seven-green-lanterns'
const post = (url, payload) => app.inject({ method: 'POST', url, payload })
await post('/accounts/signup/', { username: 'ada', password, confirm_password: password })
const login = await post('/accounts/login/', { username: 'ada', password })
const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
const responses = {}
for (const [call, request] of Object.entries(${JSON.stringify(calls)})) {
  for (const [who, sent] of [['stranger', {}], ['ada', cookies]]) {
    const response = await app.inject({ ...JSON.parse(request), cookies: sent })
    responses[call + ' by ' + who] = [response.statusCode, response.json()]
  }
}
await made.close()
console.log(JSON.stringify(responses))
process.exit(0)
`,
    })
    const { stdout, stderr } = run(folder, ['visit.js'])
    const [line = ''] = stdout.trim().split('\n').slice(-1)
    if (!line.startsWith('{')) throw new Error(stderr + stdout)
    return JSON.parse(line)
  }

  it("are guarded in NestJS, with the plugin's codes", () => {
    const start = 'const app = made.getHttpAdapter().getInstance()\nawait made.init()\nawait app.ready()'
    expect(responses('nest', start, { hello: '{"url":"/hello"}' })).toMatchObject({
      'hello by stranger': [401, { code: 'ACCOUNTS_LOGIN_REQUIRED' }],
      'hello by ada': [200, { hello: 'ada' }],
    })
  })

  it('have the user in GraphQL', () => {
    const ask = (query: string) =>
      JSON.stringify({ method: 'POST', url: '/graphql', payload: { query: `{ ${query} }` } })
    expect(responses('graphql', 'const app = made', { me: ask('me'), news: ask('news') })).toMatchObject({
      'me by stranger': [200, { data: { me: null }, errors: [{ message: 'Log in first.' }] }],
      'me by ada': [200, { data: { me: 'ada' } }],
      'news by stranger': [200, { data: { news: 'for everybody' } }],
    })
  })

  it('end a GraphQL subscription after logout', () => {
    // The clock of the checks is the test's.
    const folder = folderWith({
      'package.json': '{"type":"module"}',
      'visit.js': `
import { once } from 'node:events'
import { request } from 'node:http'
import { mock } from 'node:test'
import { createApp } from '../frameworks/graphql.js'
mock.timers.enable({ apis: ['setInterval'] })
// Nothing else ends it if a socket stays open.
setTimeout(() => process.exit(1), 60_000)
const app = await createApp()
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address()
const password = 'seven-green-lanterns'
const post = (url, payload, headers) => app.inject({ method: 'POST', url, payload, headers })
await post('/accounts/signup/', { username: 'ada', password, confirm_password: password })
const login = await post('/accounts/login/', { username: 'ada', password })
const cookie = login.cookies.map(({ name, value }) => name + '=' + encodeURIComponent(value)).join('; ')

async function open(headers) {
  const asked = request({ port, host: '127.0.0.1', path: '/graphql', headers: {
    connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13', 'sec-websocket-protocol': 'graphql-transport-ws', ...headers } })
  asked.end()
  const kind = await Promise.race([once(asked, 'upgrade'), once(asked, 'response')])
  if (kind.length === 1) return { status: kind[0].statusCode }
  const [, socket, head] = kind
  let got = head
  socket.on('data', (data) => { got = Buffer.concat([got, data]) })
  const until = async (test) => { while (!test(got)) await once(socket, 'data') }
  // A masked frame of text, with a mask of zeros.
  const text = '{"type":"connection_init"}'
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
  return { until, text: () => got.toString('latin1') }
}

const forged = await open({ cookie, origin: 'https://evil.example' })
const stranger = await open({})
await stranger.until((got) => got.includes(0x88))
const ada = await open({ cookie })
await ada.until((got) => got.includes('connection_ack'))
await post('/accounts/logout/', undefined, { cookie })
const isOpen = !ada.text().includes('ACCOUNTS')
mock.timers.tick(60_000)
await ada.until((got) => got.includes('ACCOUNTS_LOGIN_REQUIRED'))
console.log(JSON.stringify([forged.status, stranger.text().includes('connection_ack'), isOpen]))
process.exit(0)
`,
    })
    const { stdout, stderr } = run(folder, ['visit.js'])
    expect({ stdout: stdout.trim().split('\n').at(-1), stderr }).toMatchObject({ stdout: '[403,false,true]' })
  })

  it('have the user in tRPC', () => {
    const calls = { me: '{"url":"/trpc/me"}', news: '{"url":"/trpc/news"}' }
    expect(responses('trpc', 'const app = made', calls)).toMatchObject({
      'me by stranger': [401, { error: { data: { code: 'UNAUTHORIZED' } } }],
      'me by ada': [200, { result: { data: 'ada' } }],
      'news by stranger': [200, { result: { data: 'for everybody' } }],
    })
  })
})

describe.skipIf(!isInstalled(jestFolder, 'jest'))('Jest, set up as in docs/guides/testing.md', () => {
  it('logs in with inject and over a socket, runs the test of the page, and closes', () => {
    const jest = join(jestFolder, 'node_modules/jest/bin/jest.js')
    // Jest's default of 5 seconds is short on a busy machine.
    const { status, stderr } = run(jestFolder, [jest, '--testTimeout=60000'])
    expect(stderr).toContain('Tests:       4 passed, 4 total')
    expect(status).toBe(0)
  })
})
