import { withKey } from '@fastify-accounts/test-support/api-keys'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { AccountUser, UserFields } from 'fastify-accounts'
import { expect } from 'vitest'
import { type Account, expectStatus } from './accounts.js'
import { choice, resetByLink } from './events.js'
import { grants, type Service } from './service.js'

/** What people and the app can see of an account after an event. */
export interface Seen {
  /** Which password logs in: the one from before, that of the event, or none. */
  password: 'old' | 'new' | 'none'
  /** The devices that were logged in. */
  session: 'stays' | 'ends'
  passkey: 'stays' | 'goes'
  apiKey: 'stays' | 'goes'
  /** The username that was chosen at the sign-up. */
  name: 'stays' | 'goes' | 'their own'
  /** A field that clients may set. The others always stay. */
  field: 'stays' | 'goes'
  /** A role that the app's rule gave at the sign-up. */
  promise: 'theirs' | 'waits' | 'ends'
  /** What an invitation gives. */
  invitation: 'theirs' | 'waits' | 'ends'
  /** Links that were mailed before. */
  links: 'work' | 'end'
  /** The app's rule about sign-ups. What it gives is theirs. */
  rule: 'asked' | 'not asked'
  /** Whether the app is told that the account changed hands. */
  told: 'told' | 'not told'
  address: 'none' | 'unproven' | 'proven'
  /** To the person who resets the password in another browser later: a new owner, or the same. */
  later: 'new owner' | 'same owner'
}

const third = choice('a third one, just as long')

/** What is seen right after an event, of what the account had before. */
export async function look(service: Service, account: Account): Promise<Partial<Seen>> {
  const { device, passkey, apiKey, verifyLink } = account
  const asked = service.attempts.some(({ handsOver, email }) => handsOver && email === account.email)
  const { username, email, isVerified, fields, roles } = await userOf(service, account)
  // Set by the rule of the app at the sign-up.
  expect(fields.plan).toBe('basic')
  expect(roles.includes(grants.toOwner)).toBe(asked)
  const session = device && ((await device.who()) === null ? 'ends' : 'stays')
  const logsIn = (password: string) =>
    isOk(service.send('POST', '/login/', { username: username ?? email, password }))
  const seen: Partial<Seen> = {
    ...(session && { session }),
    ...(passkey && { passkey: (await isOk(visitor(service).use(passkey))) ? 'stays' : 'goes' }),
    ...(apiKey && {
      apiKey: (await isOk(service.send('GET', '/orders', undefined, withKey(apiKey)))) ? 'stays' : 'goes',
    }),
    ...(verifyLink && { links: (await isOk(service.send('GET', verifyLink))) ? 'work' : 'end' }),
    password: (await logsIn(otherPassword)) ? 'new' : (await logsIn(goodPassword)) ? 'old' : 'none',
    name: username === account.username ? 'stays' : isReplacement(username) ? 'goes' : 'their own',
    field: fields.city === 'Ulm' ? 'stays' : 'goes',
    address: email === null ? 'none' : isVerified ? 'proven' : 'unproven',
    rule: asked ? 'asked' : 'not asked',
    told: service.handedOver.includes(account.id) ? 'told' : 'not told',
  }
  return { ...seen, ...(await lookForGifts(service, account)) }
}

/** What of a promise and an invitation is theirs; what isn't may be once the person who signed up proves the address. */
async function lookForGifts(
  service: Service,
  account: Account,
): Promise<Pick<Seen, 'promise'> & Partial<Pick<Seen, 'invitation'>>> {
  const held = async () => {
    const { roles, fields } = await userOf(service, account)
    expect(fields.team === 'blue').toBe(roles.includes(grants.byInvitation))
    return { promise: roles.includes(grants.atSignUp), invitation: roles.includes(grants.byInvitation) }
  }
  const before = await held()
  const { email } = await userOf(service, account)
  if (email !== null) expectStatus(await resetByLink(service, account.maker, email, third), 204)
  const later = await held()
  const is = (gift: keyof typeof before) => (before[gift] ? 'theirs' : later[gift] ? 'waits' : 'ends')
  return { promise: is('promise'), ...(account.invitationLink && { invitation: is('invitation') }) }
}

/** What a reset in another browser does after an event. */
export async function lookLater(service: Service, account: Account): Promise<Partial<Pick<Seen, 'later'>>> {
  const { passkey } = account
  const { email } = await userOf(service, account)
  if (email === null) return {}
  const hadPasskey = passkey && (await isOk(visitor(service).use(passkey)))
  const before = service.attempts.length
  expectStatus(await resetByLink(service, visitor(service), email, third), 204)
  const isNew = service.attempts.slice(before).some((attempt) => attempt.handsOver && attempt.email === email)
  if (passkey && hadPasskey) expect(await isOk(visitor(service).use(passkey))).toBe(!isNew)
  return { later: isNew ? 'new owner' : 'same owner' }
}

/** The user, as the app's own code sees it. */
async function userOf({ app }: Service, { id }: Account): Promise<AccountUser & { fields: UserFields }> {
  const user = await app.accounts.findUser({ id })
  if (user === null) throw new Error('the user is not there')
  return user as AccountUser & { fields: UserFields }
}

const isOk = async (response: Promise<{ statusCode: number }>) => (await response).statusCode === 200

const isReplacement = (username: string | null) => username === null || username.startsWith('user-')
