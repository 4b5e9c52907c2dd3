import { withKey } from '@fastify-accounts/test-support/api-keys'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { AccountUser, SignUpAttempt, UserFields } from 'fastify-accounts'
import { expect } from 'vitest'
import { type Account, expectStatus, newAddressOf, verificationsOf } from './accounts.js'
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
  /** Whether the account has what an invitation gives and the invitation is gone, or has nothing and the invitation is open. */
  invitation: 'applies' | 'waits'
  /** Links that were mailed before. */
  links: 'work' | 'end'
  /** The app's rule about sign-ups. What it gives is theirs. */
  rule: 'not asked' | 'asked about the account' | 'asked about the invitation' | 'asked about both'
  /** Whether the app is told that the account changed hands. */
  told: 'told' | 'not told'
  address: 'none' | 'unproven' | 'proven'
  /** Whether `alongside.verified` runs, with the address that the account then has. */
  verified: 'runs' | 'does not run'
  /** To the person who resets the password in another browser later: a new owner, or the same. */
  later: 'new owner' | 'same owner'
}

const third = choice('a third one, just as long')

/** What is seen right after an event, of what the account had before. */
export async function look(service: Service, account: Account): Promise<Partial<Seen>> {
  const { device, passkey, apiKey, verifyLink, invitation } = account
  const { username, email, isVerified, fields, roles } = await userOf(service, account)
  // Set by the rule of the app at the sign-up.
  expect(fields.plan).toBe('basic')
  const rule = whatWasAsked(service, account)
  expect(roles.includes(grants.toOwner)).toBe(rule.endsWith('account') || rule.endsWith('both'))
  expect(roles.includes(grants.toInvited)).toBe(rule.endsWith('invitation') || rule.endsWith('both'))
  const verified = verificationsOf(service, account).slice(account.verifications)
  // Undoing a change comes after that change.
  expect(new Set(verified.slice(-1))).toEqual(new Set(verified.length > 0 ? [email] : []))
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
    rule,
    verified: verified.length > 0 ? 'runs' : 'does not run',
    told: service.handedOver.includes(account.id) ? 'told' : 'not told',
  }
  if (invitation) seen.invitation = await lookForInvitation(service, account, invitation.id)
  return { ...seen, promise: await lookForPromise(service, account) }
}

function whatWasAsked({ attempts }: Service, { username, email }: Account): Seen['rule'] {
  const addresses = [email, newAddressOf(username)]
  const own = attempts.filter((attempt) => addresses.includes(attempt.email))
  const isAbout = ({ method }: SignUpAttempt) => method === 'invitation'
  const isInvitation = own.some(isAbout)
  for (const attempt of own.filter(isAbout))
    expect(attempt).toMatchObject({ roles: [grants.byInvitation], fields: { team: 'blue' } })
  if (own.some((attempt) => attempt.handsOver && !isAbout(attempt)))
    return isInvitation ? 'asked about both' : 'asked about the account'
  return isInvitation ? 'asked about the invitation' : 'not asked'
}

/** Whether a promise is theirs; what isn't may be once the person who signed up proves the address. */
async function lookForPromise(service: Service, account: Account): Promise<Seen['promise']> {
  const isTheirs = async () => (await userOf(service, account)).roles.includes(grants.atSignUp)
  if (await isTheirs()) return 'theirs'
  const { email } = await userOf(service, account)
  if (email !== null) expectStatus(await resetByLink(service, account.maker, email, third), 204)
  return (await isTheirs()) ? 'waits' : 'ends'
}

async function lookForInvitation(
  { users, invitations, ...service }: Service,
  account: Account,
  id: string,
): Promise<Seen['invitation']> {
  const { roles, fields } = await userOf(service, account)
  const applies = roles.includes(grants.byInvitation)
  expect(fields.team).toBe(applies ? 'blue' : undefined)
  // What was there stays, and what has gone is missing.
  expect(['Ulm', applies ? 'Bonn' : undefined]).toContain(fields.city)
  const { accepted = {} } = (await users.findById(account.id))?.notes ?? {}
  expect(Object.keys(accepted as object)).toEqual(applies ? [id] : [])
  const row = await invitations.find(id)
  if (applies) expect(row).toBeNull()
  else expect(row).toMatchObject({ acceptingUntil: null, sends: 1 })
  return applies ? 'applies' : 'waits'
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
async function userOf(
  { app }: Pick<Service, 'app'>,
  { id }: Account,
): Promise<AccountUser & { fields: UserFields }> {
  const user = await app.accounts.findUser({ id })
  if (user === null) throw new Error('the user is not there')
  return user as AccountUser & { fields: UserFields }
}

const isOk = async (response: Promise<{ statusCode: number }>) => (await response).statusCode === 200

const isReplacement = (username: string | null) => username === null || username.startsWith('user-')
