import type { LightMyRequestResponse as Answer, InjectOptions } from 'fastify'
import type { MailKind, Session, User } from 'fastify-accounts'
import { cookieOf, goodPassword, linkPath } from '../app.js'
import type { Service } from './service.js'

/** Somebody with an account, with two sessions, from an address of their own. */
export interface Scene {
  service: Service
  name: string
  email: string
  /** The record as it was in the beginning. */
  user: User
  /** The session that requests come with, and another of the same user. */
  cookie: string
  other: string
  /** The mark of a device that has logged in before. */
  device: string
  /** The path of a link, where one was asked for. */
  link: string
  /** A name, and an address, that nobody has yet. */
  fresh: { username: string; email: string }
  /** The scene's own, so that no limit by client address is met. */
  remoteAddress: string
  send(request: InjectOptions): Promise<Answer>
  logIn(password: string, username?: string): Promise<Answer>
  /** The name that a session belongs to, `null` where it belongs to nobody. */
  whoIs(cookie: string): Promise<string | null>
  /** Asks for a link by mail, and opens it. */
  askForLink(url: string, kind: MailKind, email?: string): Promise<string>
  /** Changes the user past the service. */
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
  const send = (request: InjectOptions): Promise<Answer> => service.send({ ...request, remoteAddress })
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
    if (user === null) throw new Error(`${name} is gone`)
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
      const answer = await send({ url: '/me/', headers: { cookie } })
      return answer.statusCode === 200 ? answer.json().username : null
    },
    async askForLink(url, kind, address = email) {
      await send({ method: 'POST', url, payload: { email: address } })
      return linkPath(await service.post.mail(kind, address))
    },
    async edit(changes) {
      const changed = await users.update(id, changes, (await record()).version)
      if (changed === null) throw new Error(`${name} was changed by somebody else`)
      return changed
    },
    rows: () => sessions.listByUser(id),
  }
}
