import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { AnyMailKind, Session, User } from 'fastify-accounts'
import { cookieOf, goodPassword, linkPath } from '../app.js'
import type { Service } from './service.js'

/** A user with two sessions and their own IP address. */
export interface Scene {
  service: Service
  name: string
  email: string
  /** The initial record. */
  user: User
  /** The session that requests use, and another of the same user. */
  cookie: string
  other: string
  /** The device cookie of a known device. */
  device: string
  /** The path of an emailed link, if one was requested. */
  link: string
  /** An unused username and email address. */
  fresh: { username: string; email: string }
  /** Unique to the scene, so no limit by client address applies. */
  remoteAddress: string
  send(request: InjectOptions): Promise<Response>
  logIn(password: string, username?: string): Promise<Response>
  /** The username of a session, `null` if the session is invalid. */
  whoIs(cookie: string): Promise<string | null>
  /** Requests a link by email, and returns its path. */
  askForLink(url: string, kind: AnyMailKind, email?: string): Promise<string>
  /** Changes the user directly in the store. */
  edit(changes: Parameters<Service['stores']['users']['update']>[1]): Promise<User>
  /** The rows of the user's sessions. */
  rows(): Promise<Session[]>
}

let scenes = 0

export async function setScene(service: Service): Promise<Scene> {
  scenes += 1
  const number = scenes
  const name = `alice-${number}`
  const email = `${name}@example.org`
  const remoteAddress = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  const { users, sessions } = service.stores
  const send = (request: InjectOptions): Promise<Response> => service.send({ ...request, remoteAddress })
  const logIn: Scene['logIn'] = (password, username = name) =>
    send({ method: 'POST', url: '/login/', payload: { username, password } })

  const { id } = await service.app.accounts.createUser({
    username: name,
    email,
    password: goodPassword,
    isVerified: true,
  })
  const first = await logIn(goodPassword)
  const other = cookieOf(await logIn(goodPassword))
  const record = async (): Promise<User> => {
    const user = await users.findById(id)
    if (user === null) throw new Error(`${name} was not found`)
    return user
  }
  return {
    service,
    name,
    email,
    user: await record(),
    cookie: cookieOf(first),
    other,
    device: first.cookies
      .filter((each) => each.name.endsWith('-device'))
      .map((each) => `${each.name}=${each.value}`)
      .join(),
    link: '',
    fresh: { username: `bob-${number}`, email: `bob-${number}@example.org` },
    remoteAddress,
    send,
    logIn,
    async whoIs(cookie) {
      const response = await send({ url: '/me/', headers: { cookie } })
      return response.statusCode === 200 ? response.json().username : null
    },
    async askForLink(url, kind, address = email) {
      await send({ method: 'POST', url, payload: { email: address } })
      return linkPath(await service.post.mail(kind, address))
    },
    async edit(changes) {
      const changed = await users.update(id, changes, (await record()).version)
      if (changed === null) throw new Error(`${name} was changed concurrently`)
      return changed
    },
    rows: () => sessions.listByUser(id),
  }
}
