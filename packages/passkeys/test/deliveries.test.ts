import { passkeys } from '@fastify-accounts/passkeys'
import {
  goodPassword,
  linkPath,
  otherPassword,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { appBrowser } from '@fastify-accounts/test-support/app-browser'
import { codeIn, email } from '@fastify-accounts/test-support/email-code'
import { create, get, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { deliveredBy, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor, tokens } from 'fastify-accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A client in either delivery: it keeps what it gets, and sends it back. */
interface Caller {
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object): Promise<Response>
}

const origin = 'http://localhost:3000'
const pair = (password: string) => ({ new_password: password, confirm_password: password })

let service: TestApp
/** The operations that may set a session, by the document of the app. */
const setting = new Set<string>()

beforeAll(async () => {
  service = await testApp(
    {
      users: { variant: 'both' },
      login: { emailCode: true },
      features: [secondFactor(), passkeys(), tokens()],
      session: { newDeviceMail: false },
    },
    {
      before: (app) =>
        app.addHook('onRoute', ({ config, schema, url, method }) => {
          const { swaggerTransform } = (config ?? {}) as {
            swaggerTransform?: (asked: object) => { schema: Described }
          }
          const described = swaggerTransform?.({ schema, url, openapiObject: {} }).schema
          if (
            described?.operationId &&
            method !== 'HEAD' &&
            JSON.stringify(described.response).includes('"Set-Cookie"')
          )
            setting.add(described.operationId)
        }),
    },
  )
})
afterAll(() => service.app.close())

interface Described {
  operationId?: string
  response?: object
}

/** Each operation that sets a session, as a story that ends with its response. */
const stories: Record<string, (caller: Caller, name: string) => Promise<Response>> = {
  accountsLogIn: (caller, name) => logIn(caller, name),
  async accountsConfirm(caller, name) {
    await logIn(caller, name)
    return caller.send('POST', '/confirm/', { password: goodPassword })
  },
  async accountsChangePassword(caller, name) {
    await logIn(caller, name)
    return caller.send('POST', '/change-password/', { old_password: goodPassword, ...pair(otherPassword) })
  },
  async accountsSubmitChangePasswordForm(caller, name) {
    await logIn(caller, name)
    const body = { old_password: goodPassword, ...pair(otherPassword) }
    return caller.send('POST', '/change-password/form/', body)
  },
  async accountsRemovePassword(caller, name) {
    await withPasskey(caller, name)
    return caller.send('DELETE', '/password/')
  },
  async accountsLogInWithCode(caller, name) {
    await caller.send('POST', '/login/code/', { email: addressOf(name) })
    const code = codeIn(await service.mail('login-code', addressOf(name)))
    return caller.send('POST', '/login/code/confirm/', { code })
  },
  async accountsLogInWithCodeLink(caller, name) {
    await caller.send('POST', '/login/code/', { email: addressOf(name) })
    return caller.send('POST', linkPath(await service.mail('login-code', addressOf(name))))
  },
  async accountsConfirmTotp(caller, name) {
    await logIn(caller, name)
    return (await enroll(caller)).response
  },
  async accountsLogInWithSecondFactor(caller, name) {
    await logIn(caller, name)
    const { codes } = await enroll(caller)
    await caller.send('POST', '/logout/')
    expect((await logIn(caller, name)).json()).toMatchObject({ code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED' })
    return caller.send('POST', '/login/second-factor/', { code: codes[0] })
  },
  async accountsChangeFactors(caller, name) {
    await withPasskey(caller, name)
    return caller.send('PATCH', '/second-factor/', { passkeys: true })
  },
  async accountsLogInWithPasskey(caller, name) {
    const { passkey } = await withPasskey(caller, name)
    await caller.send('POST', '/logout/')
    return usePasskey(caller, passkey)
  },
  async accountsSignUpWithPasskey(caller, name) {
    const account = { username: `${name}-new` }
    const options = await caller.send('POST', '/signup/passkey/options/', account)
    const { response } = create(options.json(), origin)
    return caller.send('POST', '/signup/passkey/', { ...account, response })
  },
}

const addressOf = (name: string): string => email.replace('alice', name)

const logIn = (caller: Caller, username: string): Promise<Response> =>
  caller.send('POST', '/login/', { username, password: goodPassword })

async function enroll(caller: Caller): Promise<{ response: Response; codes: string[] }> {
  const { secret, token } = (await caller.send('POST', '/second-factor/totp/')).json()
  const response = await caller.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret), token })
  return { response, codes: response.json().recovery_codes }
}

/** Adds a passkey to the account, and logs in with it. */
async function withPasskey(caller: Caller, name: string): Promise<{ passkey: SoftPasskey }> {
  await logIn(caller, name)
  const options = await caller.send('POST', '/passkeys/options/')
  const { passkey, response } = create(options.json(), origin)
  expect((await caller.send('POST', '/passkeys/', { response })).statusCode).toBe(201)
  expect((await usePasskey(caller, passkey)).statusCode).toBe(200)
  return { passkey }
}

async function usePasskey(caller: Caller, passkey: SoftPasskey): Promise<Response> {
  const options = await caller.send('POST', '/login/passkey/options/')
  return caller.send('POST', '/login/passkey/', { response: get(passkey, options.json()) })
}

test('the stories are those of all routes that set a session', () => {
  expect(Object.keys(stories).sort()).toEqual([...setting].sort())
})

describe.each(Object.keys(stories))('%s', (operation) => {
  const story = stories[operation] as (typeof stories)[string]

  async function create(name: string): Promise<void> {
    const account = { username: name, password: goodPassword, email: addressOf(name), isVerified: true }
    await service.app.accounts.createUser(account)
  }

  test('as a cookie', async () => {
    const name = `${operation}-cookie`.toLowerCase()
    await create(name)
    const browser = appBrowser(service)
    const response = await story(browser, name)
    expect(response.statusCode).toBeLessThan(300)
    expect(deliveredBy(response)).toBeUndefined()
    expect(response.cookies.some((each) => each.name === 'session' && each.value !== '')).toBe(true)
    expect(response.headers['accounts-state']).toBeUndefined()
    expect((await browser.send('GET', '/me/')).statusCode).toBe(200)
  })

  test('as tokens, with the same body', async () => {
    const name = `${operation}-tokens`.toLowerCase()
    await create(name)
    const app = tokenClient(service)
    const response = await story(app, name)
    expect(response.statusCode).toBeLessThan(300)
    expect(deliveredBy(response)).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    expect(response.headers['set-cookie']).toBeUndefined()
    expect((await app.send('GET', '/me/')).statusCode).toBe(200)
    expect((await app.refresh()).statusCode).toBe(200)
  })
})
