import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import type { SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { LightMyRequestResponse as Response } from 'fastify'
import { expect } from 'vitest'
import { grants, type Service } from './service.js'

/** Who is known to own an account, and whether anybody has logged in to it: the columns of docs/ownership.md. */
export const columns = [
  'no address',
  'unproven, never used',
  'unproven, used',
  'plainly proven, never used',
  'plainly proven, used',
  'proven',
] as const
export type Column = (typeof columns)[number]

/** Everything that an account may have when an event happens to it. */
export interface Account {
  id: string
  username: string
  /** `null` without an address. */
  email: string | null
  /** Where somebody signed up. Nobody is logged in there. */
  maker: Visitor
  /** Another device of theirs, which is logged in; absent if nobody has ever logged in. */
  device?: Visitor
  passkey?: SoftPasskey
  apiKey?: string
  /** The link that verifies the address, from before it was verified. */
  verifyLink?: string
  /** How often the app's function has run for the account by the time it is in the state. */
  verifications: number
  /** An invitation to the address, or to the one that an event is about; absent without any. */
  invitation?: { id: string; link: string }
}

let accounts = 0

/** The address that an account gets by an event. */
export const newAddressOf = (username: string): string => `moved-${username}@example.org`

/**
 * Makes an account and brings it into a state, by what people do.
 * @param moves whether it is to get another address
 */
export async function bringInto(
  service: Service,
  column: Column,
  { moves = false }: { moves?: boolean } = {},
): Promise<Account> {
  accounts += 1
  const username = `maker-${accounts}`
  const email = column === 'no address' ? null : `${username}@example.org`
  const maker = visitor(service)
  const passwords = { password: goodPassword, confirm_password: goodPassword }
  const entered = { username, city: 'Ulm', ...passwords, ...(email && { email }) }
  expectStatus(await maker.send('POST', '/user/', entered), 201)
  const user = await service.app.accounts.findUser({ username })
  const account: Account = { id: user?.id ?? '', username, email, maker, verifications: 0 }
  if (!column.endsWith('never used')) Object.assign(account, await use(service, username))
  if (email !== null) {
    const verifyLink = await mailedLink(service, maker, '/user/v/', 'verify-email', email)
    if (column === 'proven') expectStatus(await maker.send('POST', verifyLink), 200)
    if (column.startsWith('plainly')) expectStatus(await service.send('POST', verifyLink), 200)
    account.verifyLink = verifyLink
  }
  account.verifications = verificationsOf(service, account).length
  expect(account.verifications).toBe(column === 'proven' ? 1 : 0)
  const invitee = moves ? newAddressOf(username) : email
  if (invitee !== null) account.invitation = await invite(service, invitee, column === 'proven' && !moves)
  return account
}

/** The addresses with which the app's function has run for the account. */
export const verificationsOf = ({ verified }: Service, { id }: Pick<Account, 'id'>) =>
  verified.filter(([userId]) => userId === id).map(([, email]) => email)

/** An invitation gives a role, a field that is missing, and one that is there. */
async function invite(
  { app, mail }: Service,
  email: string,
  isKnown: boolean,
): Promise<NonNullable<Account['invitation']>> {
  const gives = { roles: [grants.byInvitation], fields: { team: 'blue', city: 'Bonn' } }
  const { id } = await app.accounts.invite({ email, ...gives })
  return { id, link: linkPath(await mail(isKnown ? 'invitation-known' : 'invitation', email)) }
}

/** They log in on another device, and add other ways in. */
async function use(
  service: Service,
  username: string,
): Promise<Pick<Account, 'device' | 'passkey' | 'apiKey'>> {
  const device = visitor(service)
  await device.logIn(username)
  const key = { name: 'CI', scopes: ['orders:read'] }
  const apiKey = expectStatus(await device.send('POST', '/api-keys/', key), 201).json().key
  const { passkey, response } = await device.add()
  expectStatus(response, 201)
  // The first one takes a login with it for a change of the address.
  expectStatus(await device.use(passkey), 200)
  return { device, passkey, apiKey }
}

export function expectStatus(response: Response | undefined, status: number): Response {
  if (response === undefined) throw new Error('nobody is logged in to the account')
  expect(response.statusCode, response.body).toBe(status)
  return response
}

/** The path of the link that a browser requests for an address. */
export async function mailedLink(
  service: Service,
  browser: Visitor,
  url: string,
  kind: 'verify-email' | 'reset-password',
  email: string,
): Promise<string> {
  const sent = () => service.mails.filter((mail) => mail.kind === kind && mail.to.address === email)
  const before = sent().length
  expectStatus(await browser.send('POST', url, { email }), 202)
  await expect.poll(() => sent().length, { interval: 10 }).toBe(before + 1)
  return linkPath(sent().at(-1) as (typeof service.mails)[number])
}
