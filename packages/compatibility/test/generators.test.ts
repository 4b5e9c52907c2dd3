import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { start } from '@fastify-accounts/test-support/example-server/server'
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { generateApi } from 'swagger-typescript-api'
import { expect, it, onTestFinished } from 'vitest'

const here = dirname(fileURLToPath(new URL('.', import.meta.url)))
const tsc = join(here, '../../node_modules/typescript/bin/tsc')
const bin = (name: string): string => join(here, 'node_modules/.bin', name)

/** Keeps the session's cookie, as a browser does. */
const cookies = `
const { fetch } = globalThis
let cookie = ''
export const fetchWithCookie: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  if (cookie !== '') request.headers.set('cookie', cookie)
  const response = await fetch(request)
  for (const each of response.headers.getSetCookie()) if (each.startsWith('session=')) cookie = each.split(';')[0] ?? ''
  return response
}
export const baseUrl = process.env.BASE_URL ?? ''
export const password = 'seven-green-lanterns'
`

/**
 * Compiles a program with the generated files in strict mode, and runs it against the server. It doesn't block this
 * process, through which the server is reached.
 * @param generator writes further files
 */
async function compileAndRun(
  files: Record<string, string>,
  baseUrl: string,
  generator?: { command: string; args: string[] },
): Promise<{ status: number | null; output: string }> {
  // Inside the package, so the program's imports can be resolved.
  mkdirSync(join(here, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(here, 'dist/generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tsconfig = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(here, '../../node_modules/@types')],
    },
    files: ['program.ts'],
  }
  const all = { ...files, 'cookies.ts': cookies, 'package.json': '{"type":"module"}' }
  for (const [name, content] of Object.entries({ ...all, 'tsconfig.json': JSON.stringify(tsconfig) })) {
    writeFileSync(join(folder, name), content)
  }
  const run = async (command: string, args: string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { status: status as number | null, output: stdout + stderr }
  }
  const steps = [
    ...(generator === undefined ? [] : [() => run(generator.command, generator.args, { HOME: folder })]),
    () => run(process.execPath, [tsc, '-p', '.'], {}),
  ]
  for (const step of steps) {
    const ended = await step()
    if (ended.status !== 0) return ended
  }
  return run(process.execPath, ['program.js'], { BASE_URL: baseUrl })
}

async function exampleServer(): Promise<{ url: string; document: OpenAPI3 }> {
  const { url } = await start()
  return { url, document: (await (await fetch(`${url}/docs/json`)).json()) as OpenAPI3 }
}

it('openapi-typescript and openapi-fetch sign up, log in, and distinguish errors by code', async () => {
  const { url, document } = await exampleServer()
  const program = `
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import { baseUrl, fetchWithCookie, password } from './cookies.js'
import type { components, operations, paths } from './schema.js'

const client = createClient<paths>({ baseUrl, fetch: fetchWithCookie })
const created = await client.POST('/signup/', {
  body: { username: 'ada', password, confirm_password: password, email: 'ada@example.org' },
})
// Without a password it would be a message.
const made: components['schemas']['AccountsUser'] | undefined = created.data && 'email' in created.data ? created.data : undefined
assert.equal(made?.email, 'ada@example.org')

const wrong = await client.POST('/login/', { body: { username: 'ada', password: 'wrong' } })
const user = made
assert.equal(user?.username, 'ada')
const code: 'ACCOUNTS_INVALID_CREDENTIALS' | 'ACCOUNTS_INVALID_OR_NOT_VERIFIED' | 'ACCOUNTS_SECOND_FACTOR_REQUIRED' | undefined = wrong.response.status === 401
  ? (wrong.error as operations['accountsLogIn']['responses'][401]['content']['application/json']).code
  : undefined
assert.equal(code, 'ACCOUNTS_INVALID_CREDENTIALS')

await client.POST('/login/', { body: { username: 'ada', password } })
const list = await client.GET('/user/', { params: { query: { limit: 10 } } })
assert.deepEqual(list.data?.results.map(({ username }) => username), ['ada'])
const id = list.data?.results[0]?.id ?? ''
const gone = await client.DELETE('/user/{pk}', { params: { path: { pk: id } } })
assert.equal(gone.response.status, 204)
// @ts-expect-error a name is a string
await client.POST('/login/', { body: { username: 7, password } })
console.log('done')
`
  const schema = astToString(await openapiTypeScript(document))
  expect(await compileAndRun({ 'schema.ts': schema, 'program.ts': program }, url)).toEqual({
    status: 0,
    output: 'done\n',
  })
})

it('so does the client of swagger-typescript-api', async () => {
  const { url, document } = await exampleServer()
  const { files } = await generateApi({
    spec: document as never,
    output: false,
    httpClientType: 'fetch',
    moduleNameFirstTag: true,
    silent: true,
  })
  const program = `
import assert from 'node:assert/strict'
import { Api } from './api.js'
import { baseUrl, fetchWithCookie, password } from './cookies.js'

const { accounts } = new Api({ baseUrl, customFetch: fetchWithCookie })
const created = await accounts.accountsCreateUser({ username: 'bob', password, confirm_password: password })
assert.equal(created.data.username, 'bob')
await accounts.accountsLogIn({ username: 'bob', password })
const me = await accounts.accountsShowMe()
const verified: boolean = me.data.is_verified
assert.equal(verified, false)
const refused = await accounts.accountsShowUser('nobody').catch((response) => response.error)
assert.equal(refused.code, 'ACCOUNTS_NOT_FOUND')
console.log('done')
`
  const api = files.map(({ fileContent }) => fileContent).join('\n')
  expect(await compileAndRun({ 'api.ts': api, 'program.ts': program }, url)).toEqual({
    status: 0,
    output: 'done\n',
  })
})

it('so does the client of orval, which names a content type only if there is one', async () => {
  const { url, document } = await exampleServer()
  const config = `export default { accounts: {
  input: { target: './document.json' },
  output: { target: './api.ts', client: 'fetch', mode: 'single', baseUrl: '${url}' },
} }`
  const program = `
import assert from 'node:assert/strict'
import { type AccountsUser, accountsLogIn, accountsShowMe, accountsSignUp } from './api.js'
import { fetchWithCookie, password } from './cookies.js'

globalThis.fetch = fetchWithCookie
const created = await accountsSignUp({ username: 'cleo', password, confirm_password: password })
assert.equal(created.status, 201)
const wrong = await accountsLogIn({ username: 'cleo', password: 'wrong' })
assert.equal(wrong.status === 401 && wrong.data.code, 'ACCOUNTS_INVALID_CREDENTIALS')
const login = await accountsLogIn({ username: 'cleo', password })
assert.equal(login.status, 200)
const me = await accountsShowMe()
const user: AccountsUser | null = me.status === 200 ? me.data : null
assert.equal(user?.username, 'cleo')
console.log('done')
`
  const files = {
    'document.json': JSON.stringify(document),
    'orval.config.mjs': config,
    'program.ts': program,
  }
  const generator = { command: bin('orval'), args: ['--config', 'orval.config.mjs'] }
  expect(await compileAndRun(files, url, generator)).toEqual({ status: 0, output: 'done\n' })
})

it('so does the client of hey-api', async () => {
  const { url, document } = await exampleServer()
  const config = `export default {
  input: './document.json',
  output: { path: './api', module: { extension: '.js' } },
}`
  const program = `
import assert from 'node:assert/strict'
import { client } from './api/client.gen.js'
import { type AccountsError, type AccountsUser, accountsLogIn, accountsShowMe, accountsSignUp } from './api/index.js'
import { baseUrl, fetchWithCookie, password } from './cookies.js'

client.setConfig({ baseUrl, fetch: fetchWithCookie })
const created = await accountsSignUp({ body: { username: 'dan', password, confirm_password: password } })
assert.equal(created.response?.status, 201)
const wrong = await accountsLogIn({ body: { username: 'dan', password: 'wrong' } })
const error: AccountsError | undefined = wrong.error
assert.equal(error?.code, 'ACCOUNTS_INVALID_CREDENTIALS')
await accountsLogIn({ body: { username: 'dan', password } })
const me = await accountsShowMe()
const user: AccountsUser | undefined = me.data
assert.equal(user?.username, 'dan')
console.log('done')
`
  const files = {
    'document.json': JSON.stringify(document),
    'openapi-ts.config.mjs': config,
    'program.ts': program,
  }
  const generator = { command: bin('openapi-ts'), args: [] }
  expect(await compileAndRun(files, url, generator)).toEqual({ status: 0, output: 'done\n' })
})
