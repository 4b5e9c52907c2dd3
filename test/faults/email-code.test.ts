import { cookieOf, goodPassword, linkPath, otherPassword } from '@fastify-accounts/test-support/app'
import { askedCookie, codeIn, otherThan } from '@fastify-accounts/test-support/email-code'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { InjectOptions } from 'fastify'
import type { StoredUser } from 'fastify-accounts'
import { describe, expect } from 'vitest'
import { type FactorTrial, post, record, tryFactor } from './factor-trials.js'

/** A mailed code, its link, and the cookie of the browser that requested it. */
async function newCode({ send, email, service }: Pick<Scene, 'send' | 'email' | 'service'>) {
  const cookie = askedCookie(await send(post('/login/code/', { email })))
  const mail = await service.post.mail('login-code', email)
  return { cookie, code: codeIn(mail), path: linkPath(mail) }
}

/** The address of another account: the owner's password must keep working. */
const others = ({ name }: Scene): string => `other-${name}@example.org`

const otherRecord = async (owner: Scene) => owner.service.stores.users.findByEmail(others(owner))

async function withOther(owner: Scene, changes: object = {}): Promise<void> {
  const user = { username: `other-${owner.name}`, password: goodPassword, email: others(owner) }
  const { id } = await owner.service.app.accounts.createUser(user)
  const { users } = owner.service.stores
  await users.update(id, changes, (await users.findById(id))?.version ?? 0)
}

/** The session of a user who can only log in with a code. */
async function codeAlone(owner: Scene): Promise<string> {
  await withOther(owner, { isVerified: true, passwordHash: '!' })
  const { code, cookie } = await newCode({ ...owner, email: others(owner) })
  return cookieOf(await owner.send(post('/login/code/confirm/', { code }, cookie)))
}

/** A mailed reset code of the other account, and the cookie of the browser that requested it. */
async function newResetCode(owner: Scene) {
  await withOther(owner, { isVerified: true })
  const cookie = askedCookie(
    await owner.send(post('/forgot/', { email: others(owner) })),
    'session-reset-code',
  )
  return { cookie, code: codeIn(await owner.service.post.mail('reset-password', others(owner))) }
}

const resetBody = (code: string) => ({
  code,
  new_password: otherPassword,
  confirm_password: otherPassword,
})

/** Whether the other account's password is the new one. Fails if it is half-done. */
async function isReset(owner: Scene): Promise<boolean> {
  const login = { username: `other-${owner.name}` }
  const statuses: number[] = []
  for (const password of [goodPassword, otherPassword])
    statuses.push((await owner.send(post('/login/', { ...login, password }))).statusCode)
  const isUsed = isSpent('reset-code', await otherRecord(owner))
  expect(statuses).toEqual(isUsed ? [401, 200] : [200, 401])
  return isUsed
}

const isSpent = (kind: string, user: StoredUser | null): boolean =>
  user?.credentials.some((each) => each.kind === kind && each.left === 0) === true

const isUsed = async (owner: Scene): Promise<boolean> => isSpent('login-code', await record(owner))

const trials: FactorTrial<Scene>[] = [
  {
    name: 'a code requested',
    request: ({ email }) => post('/login/code/', { email }),
    status: 202,
  },
  {
    name: 'a code requested for an unknown address',
    request: ({ fresh }) => post('/login/code/', { email: fresh.email }),
    status: 202,
  },
  {
    name: 'a code',
    async request(owner) {
      const { code, cookie } = await newCode(owner)
      return post('/login/code/confirm/', { code }, cookie)
    },
    status: 200,
    isDone: isUsed,
    again: [401],
  },
  {
    name: 'a code that verifies an address',
    async request(owner) {
      await withOther(owner)
      const { code, cookie } = await newCode({ ...owner, email: others(owner) })
      return post('/login/code/confirm/', { code }, cookie)
    },
    status: 200,
    isDone: async (owner) => (await otherRecord(owner))?.isVerified === true,
    again: [401],
  },
  {
    name: 'a wrong code',
    async request(owner) {
      const { code, cookie } = await newCode(owner)
      return post('/login/code/confirm/', { code: otherThan(code) }, cookie)
    },
    status: 401,
  },
  {
    name: 'a code for an unknown address',
    async request({ send, fresh }) {
      const cookie = askedCookie(await send(post('/login/code/', { email: fresh.email })))
      return post('/login/code/confirm/', { code: 'AAAA-AAAA' }, cookie)
    },
    status: 401,
  },
  {
    name: 'the page of the link',
    async request(owner): Promise<InjectOptions> {
      const { path, cookie } = await newCode(owner)
      return { url: path, headers: { cookie } }
    },
    status: 200,
  },
  {
    name: 'the button of the link',
    async request(owner) {
      const { path, cookie } = await newCode(owner)
      return post(path, undefined, cookie)
    },
    status: 200,
    isDone: isUsed,
    again: [400, 401],
  },
  {
    name: 'a reset code requested',
    request: ({ email }) => post('/forgot/', { email }),
    status: 202,
  },
  {
    name: 'a reset code requested for an unknown address',
    request: ({ fresh }) => post('/forgot/', { email: fresh.email }),
    status: 202,
  },
  {
    name: 'a reset code',
    async request(owner) {
      const { code, cookie } = await newResetCode(owner)
      return post('/reset/code/', resetBody(code), cookie)
    },
    status: 204,
    isDone: isReset,
    again: [401],
  },
  {
    name: 'a wrong reset code',
    async request(owner) {
      const { code, cookie } = await newResetCode(owner)
      return post('/reset/code/', resetBody(otherThan(code)), cookie)
    },
    status: 401,
  },
  {
    name: 'a reset code with a bad password',
    async request(owner) {
      const { code, cookie } = await newResetCode(owner)
      return post('/reset/code/', { ...resetBody(code), confirm_password: 'another' }, cookie)
    },
    status: 400,
  },
  {
    name: 'a reset code for an unknown address',
    async request({ send, fresh }) {
      const asked = await send(post('/forgot/', { email: fresh.email }))
      return post('/reset/code/', resetBody('AAAA-AAAA'), askedCookie(asked, 'session-reset-code'))
    },
    status: 401,
  },
  {
    name: 'a confirmation code requested',
    request: async (owner) => post('/confirm/code/', undefined, await codeAlone(owner)),
    status: 202,
  },
  {
    name: 'a confirmation code',
    async request(owner) {
      const cookie = await codeAlone(owner)
      await owner.send(post('/confirm/code/', undefined, cookie))
      const mail = await owner.service.post.mail('confirmation-code', others(owner))
      return post('/confirm/', { email_code: codeIn(mail) }, cookie)
    },
    status: 204,
    isDone: async (owner) => isSpent('confirmation-code', await otherRecord(owner)),
    again: [400, 401],
  },
]

describe('email codes when any adapter call fails', () => {
  tryFactor({ options: { login: { emailCode: true } }, set: setScene }, trials)
})
