import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { hostPassword } from '@fastify-accounts/test-support/faults/host-routes'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import { expect } from 'vitest'

/** What a request brings about, read from outside. */
export interface Action {
  /** Whether it is done. Fails where it is done by halves. */
  isDone(scene: Scene): Promise<boolean>
  /** How the same request is answered where the action is done already. */
  again: readonly number[]
  /** Whether the service goes on trying by itself. Default `false`. */
  isTriedAgain?: boolean
}

/** The one status of two logins; both passwords are tried, so that never two are good. */
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

/** Nothing: the password is the password, and the other session goes on. */
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

/** The same for whoever may not log in, with the code that says so. */
export const nothingBut = (code: string): Action => ({
  again: [],
  async isDone(scene) {
    expect((await scene.logIn(goodPassword)).json().code).toBe(code)
    return false
  },
})

/** A new password: exactly one works, and every session is dead where it is the new one. */
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

/** A password where there was none; every session is dead with it. */
export const firstPassword = (password: string): Action => ({
  again: [401],
  async isDone(scene) {
    const isDone = (await passwordsThatWork(scene, [password])).length === 1
    await expectSessions(scene, isDone ? null : scene.name)
    return isDone
  },
})

/** None works any more, and every session is dead. */
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

/** The request's own session went on under another id. */
export const renewal: Action = {
  again: [401],
  async isDone(scene) {
    expect(await scene.whoIs(scene.other)).toBe(scene.name)
    expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
    return (await scene.whoIs(scene.cookie)) === null
  },
}

/** The other session is over, and the request's own is not. */
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

/** Another name; the sessions go on. */
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

/** Another address, which is proven; nobody is logged out. */
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

/** The old address is back, everybody is out, and the password is void. */
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

/** The change can no longer be undone; nobody is logged out. */
export const keptAddress: Action = {
  again: [400],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    expect(user?.email).toBe(scene.fresh.email)
    await expectSessions(scene, scene.name)
    return user?.emailChangedAt === null
  },
}

/** The account has no address; nobody is logged out. */
export const releasedAddress: Action = {
  again: [200],
  async isDone(scene) {
    const user = await scene.service.stores.users.findById(scene.user.id)
    expect([scene.fresh.email, null]).toContain(user?.email)
    await expectSessions(scene, scene.name)
    return user?.email === null
  },
}

/** Everybody is out, and the password is void. */
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

/** A user who is there as a whole, or not at all. */
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

export const signUp = creation(goodPassword)
export const hostSignUp = creation(hostPassword)
