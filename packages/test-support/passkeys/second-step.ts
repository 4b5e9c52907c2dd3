import type { LightMyRequestResponse as Response } from 'fastify'
import { goodPassword, type TestApp } from '../app.js'
import { get, type SoftPasskey, type Twist } from './authenticator.js'
import { type Visitor, visitor } from './service.js'

export const password = { username: 'alice', password: goodPassword }

/** A security key without a PIN. Its credential isn't discoverable, so it returns no user handle. */
export const bare = {
  flags: { verified: false, backupEligible: false, backedUp: false },
  use: 'factor',
} as const

/** Turns passkeys on or off as a second factor. */
export const turn = (who: Visitor, isOn: boolean): Promise<Response> =>
  who.send('PATCH', '/second-factor/', { passkeys: isOn })

/** The same, after confirming with the passkey, as a passkey that can log in requires. */
export async function prove(who: Visitor, passkey: SoftPasskey, isOn: boolean): Promise<Response> {
  await confirm(who, passkey)
  return turn(who, isOn)
}

type Service = Pick<TestApp, 'app'>

/** A browser after the password step of a login, and the options for its second step. */
export async function waiting(service: Service) {
  const browser = visitor(service)
  const response = await browser.send('POST', '/login/', password)
  if (response.statusCode !== 401) throw new Error(response.body)
  const options = await browser.send('POST', '/login/passkey/options/')
  return { browser, response, options: options.json() }
}

export const complete = (browser: Visitor, response: object, extra: object = {}): Promise<Response> =>
  browser.send('POST', '/login/second-factor/', { response, ...extra })

/** A login with a password, completed with a passkey. */
export async function secondStep(service: Service, passkey: SoftPasskey, twist?: Twist): Promise<Response> {
  const { browser, options } = await waiting(service)
  return complete(browser, get(passkey, options, twist))
}

/** A logged-in user confirms with a passkey. */
export async function confirm(browser: Visitor, passkey: SoftPasskey, twist?: Twist): Promise<Response> {
  const options = await browser.send('POST', '/confirm/passkey/options/')
  if (options.statusCode !== 200) return options
  return browser.send('POST', '/confirm/', { response: get(passkey, options.json(), twist) })
}

/** The same browser on another process. */
export function at(service: Service, { cookies }: Visitor): Visitor {
  const moved = visitor(service)
  for (const [name, value] of cookies) moved.cookies.set(name, value)
  return moved
}
