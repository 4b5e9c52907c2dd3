import { isDeepStrictEqual } from 'node:util'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { hostPassword } from '@fastify-accounts/test-support/faults/host-routes'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import type { User } from 'fastify-accounts'
import { expect } from 'vitest'

/** The effect of a request, as seen from outside. */
export interface Action {
  /** Whether it is done. Fails if it is half-done. */
  isDone(scene: Scene): Promise<boolean>
  /** The statuses that the same request may return once the action is done. */
  again: readonly number[]
  /** Whether the service retries on its own. Default `false`. */
  isTriedAgain?: boolean
}

/** The passwords that log in. Each one is attempted, to catch two that work at the same time. */
async function passwordsThatWork(scene: Scene, passwords: readonly string[]): Promise<string[]> {
  const working: string[] = []
  for (const password of passwords) {
    const { statusCode } = await scene.logIn(password)
    expect([200, 401]).toContain(statusCode)
    if (statusCode === 200) working.push(password)
  }
  return working
}

async function expectSessions(scene: Scene, owner: string | null): Promise<void> {
  expect([await scene.whoIs(scene.cookie), await scene.whoIs(scene.other)]).toEqual([owner, owner])
}

/** No change: the old password works, and the other session continues. */
export const nothing: Action = {
  again: [],
  async isDone(scene) {
    expect(await passwordsThatWork(scene, [otherPassword, goodPassword])).toEqual([goodPassword])
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    expect(await scene.service.stores.users.findById(scene.user.id)).toMatchObject({
      isVerified: scene.user.isVerified,
      sessionEpoch: scene.user.sessionEpoch,
      resetEpoch: scene.user.resetEpoch,
      verifyEpoch: scene.user.verifyEpoch,
    })
    return false
  },
}

/** No change for a user who can't log in: a login fails with this error code. */
export const nothingBut = (code: string): Action => ({
  again: [],
  async isDone(scene) {
    expect((await scene.logIn(goodPassword)).json().code).toBe(code)
    return false
  },
})

/** A new password: exactly one works; if it's the new one, every session has ended. */
export const newPassword = (password: string, again: readonly number[]): Action => ({
  again,
  async isDone(scene) {
    const working = await passwordsThatWork(scene, [password, goodPassword])
    expect(working).toHaveLength(1)
    const isDone = working[0] === password
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
})

/** The first password of an account; setting it ends every session. */
export const firstPassword = (password: string): Action => ({
  again: [401],
  async isDone(scene) {
    const isDone = (await passwordsThatWork(scene, [password])).length === 1
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
})

/** No password works, and every session has ended. */
export const removedPassword: Action = {
  again: [401],
  async isDone(scene) {
    const isDone = (await passwordsThatWork(scene, [goodPassword])).length === 0
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
}

export const logout: Action = {
  again: [204],
  isTriedAgain: true,
  async isDone(scene) {
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    return (await scene.whoIs(scene.cookie)) === null
  },
}

/** The request's own session has a new cookie; the old one is good for a while. */
export const renewal: Action = {
  again: [204],
  async isDone(scene) {
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
    expect(await scene.whoIs(scene.cookie)).toBe(scene.name)
    return (await scene.rows()).some(({ confirmation }) => confirmation > 0)
  },
}

/** The other session has ended; the request's own hasn't. */
export const endOfOther = (again: readonly number[]): Action => ({
  again,
  async isDone(scene) {
    expect(await scene.whoIs(scene.cookie)).toBe(scene.name)
    return (await scene.whoIs(scene.other)) === null
  },
})

export const endedSessions: Action = {
  again: [200],
  async isDone(scene) {
    const who = await scene.whoIs(scene.cookie)
    await expectSessions(scene, who)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
    return who === null
  },
}

export const demotion: Action = {
  again: [200],
  async isDone(scene) {
    await expectSessions(scene, scene.name)
    return (await scene.service.stores.users.findById(scene.user.id))?.isStaff === false
  },
}

/** All of these roles, or those from before; sessions continue, and the next request goes by them. */
export const newRoles = (roles: readonly string[]): Action => ({
  again: [200],
  async isDone(scene) {
    await expectSessions(scene, scene.name)
    const me = (await scene.send({ url: '/me/', headers: { cookie: scene.cookie } })).json()
    expect([scene.user.roles, roles]).toContainEqual(me.roles)
    expect(await scene.service.stores.users.findById(scene.user.id)).toMatchObject({
      roles: me.roles,
      isStaff: false,
      sessionEpoch: scene.user.sessionEpoch,
    })
    return isDeepStrictEqual(me.roles, roles)
  },
})

export const disabled: Action = {
  again: [200],
  async isDone(scene) {
    const login = await scene.logIn(goodPassword)
    await expectSessions(scene, login.statusCode === 200 ? scene.name : null)
    if (login.statusCode !== 200) expect(login.json().code).toBe('ACCOUNTS_DISABLED')
    return login.statusCode !== 200
  },
}

export const deletion = (again: readonly number[]): Action => ({
  again,
  async isDone(scene) {
    const { users } = scene.service.stores
    const isDone = (await scene.logIn(goodPassword)).statusCode === 401
    await expectSessions(scene, isDone ? null : scene.name)
    const found = [
      await users.findById(scene.user.id),
      await users.findByUsername(scene.name),
      await users.findByEmail(scene.email),
    ]
    expect(found.map((user) => user === null)).toEqual([isDone, isDone, isDone])
    return isDone
  },
})

/** A new username; sessions continue. */
export const newName = (isNew: (scene: Scene) => string): Action => ({
  again: [200],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    const name = user?.username ?? ''
    expect([scene.name, isNew(scene)]).toContain(name)
    expect([await scene.whoIs(scene.cookie), await scene.whoIs(scene.other)]).toEqual([name, name])
    return name !== scene.name
  },
})

/** What has changed in the record of the user since the scene was set; `null` if it is gone. */
export async function changesIn({ service, user }: Scene): Promise<(keyof User)[] | null> {
  const now = await service.stores.users.findById(user.id)
  const keys = Object.keys(user) as (keyof User)[]
  return now && keys.filter((key) => key !== 'version' && !isDeepStrictEqual(now[key], user[key]))
}

/** These fields of the user change together; sessions continue. */
export const change = (fields: readonly (keyof User)[], again: readonly number[]): Action => ({
  again,
  async isDone(scene) {
    const changed = await changesIn(scene)
    expect([[], fields]).toContainEqual(changed)
    for (const cookie of [scene.cookie, scene.other]) expect(await scene.whoIs(cookie)).not.toBeNull()
    return changed?.length !== 0
  },
})

/** A new, verified address; sessions continue. */
export const newAddress: Action = {
  again: [400],
  async isDone(scene) {
    const { users } = scene.service.stores
    const user = await users.findById(scene.user.id)
    await expectSessions(scene, scene.name)
    expect(user?.isVerified).toBe(true)
    expect([scene.email, scene.fresh.email]).toContain(user?.email)
    return user?.email === scene.fresh.email
  },
}

/** A new address by the host, which nobody has proven; the password works, and sessions continue. */
export const vouchedAddress: Action = {
  again: [200],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    const isDone = user?.email === scene.fresh.email
    expect([user?.email, user?.isVerified]).toEqual(isDone ? [scene.fresh.email, false] : [scene.email, true])
    await expectSessions(scene, scene.name)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
    return isDone
  },
}

/** The old address is restored, every session has ended, and the password no longer works. */
export const undoneAddress: Action = {
  again: [400],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    const isDone = user?.email === scene.email
    expect((await scene.logIn(goodPassword)).statusCode).toBe(isDone ? 401 : 200)
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
}

/** The change can no longer be undone; sessions continue. */
export const keptAddress: Action = {
  again: [400],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    expect(user?.email).toBe(scene.fresh.email)
    await expectSessions(scene, scene.name)
    return user?.emailChangedAt === null
  },
}

/** The account has no address; sessions continue. */
export const releasedAddress: Action = {
  again: [200],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    expect([scene.fresh.email, null]).toContain(user?.email)
    await expectSessions(scene, scene.name)
    return user?.email === null
  },
}

/** Every session has ended, and the password no longer works. */
export const lock: Action = {
  again: [400],
  async isDone(scene) {
    const isDone = (await scene.logIn(goodPassword)).statusCode === 401
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
}

export const verification: Action = {
  again: [200],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    return user?.isVerified === true
  },
}

/** A user who exists completely, or not at all. */
const creation = (password: string): Action => ({
  again: [409],
  async isDone(scene) {
    const { users } = scene.service.stores
    const { username, email } = scene.fresh
    const login = await scene.logIn(password, username)
    const byName = await users.findByUsername(username)
    const byEmail = await users.findByEmail(email)
    expect(byEmail).toEqual(byName)
    if (byName === null) expect(login.statusCode).toBe(401)
    else if (login.statusCode !== 200) expect(login.json().code).toBe('ACCOUNTS_NOT_VERIFIED')
    return byName !== null
  },
})

/** The same with nothing to log in with. */
export const signUpAlone: Action = {
  again: [409],
  async isDone(scene) {
    const { users } = scene.service.stores
    const { username, email } = scene.fresh
    const user = await users.findByUsername(username)
    expect(await users.findByEmail(email)).toEqual(user)
    if (user !== null) expect(user).toMatchObject({ isVerified: false, passwordHash: '!', credentials: [] })
    expect((await scene.logIn(goodPassword, username)).statusCode).toBe(401)
    return user !== null
  },
}

/** The first password of such a user, who is verified with it or neither has one. */
export const makersPassword: Action = {
  again: [400, 409],
  async isDone(scene) {
    const user = await scene.service.stores.users.findByUsername(scene.fresh.username)
    const isDone = user?.isVerified === true
    expect(user?.passwordHash === '!').toBe(!isDone)
    expect((await scene.logIn(otherPassword, scene.fresh.username)).statusCode).toBe(isDone ? 200 : 401)
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    return isDone
  },
}

/** A sign-up with a taken address is kept, or not at all; its owner notices nothing but an email. */
export const unclaimedSignUp: Action = {
  again: [409],
  async isDone(scene) {
    await nothing.isDone(scene)
    const kept = await scene.service.stores.users.findByUsername(scene.fresh.username)
    if (kept !== null) expect(kept).toMatchObject({ kind: 'unclaimed', email: null })
    return kept !== null
  },
}

export const signUp = creation(goodPassword)
export const hostSignUp = creation(hostPassword)
