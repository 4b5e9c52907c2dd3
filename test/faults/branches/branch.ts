import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import type { HostAction } from '@fastify-accounts/test-support/faults/host-routes'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import type { InjectOptions } from 'fastify'
import type { AnyMailKind } from 'fastify-accounts'
import type { Action } from '../actions.js'

/** One way through a route. */
export interface Branch {
  name: string
  /** The entry in /api-root/ and the method; absent for the host's own routes. */
  route?: string
  /** Whether new users must verify their address. Default `false`. */
  confirms?: boolean
  /** Whether another request changes the user between the lookup and the update. Default `false`. */
  isContended?: boolean
  prepare?(scene: Scene): Promise<Partial<Scene> | undefined>
  request(scene: Scene): InjectOptions
  /** The status if nothing fails. */
  status: number
  action: Action
  /** The mail that is sent, and its recipient. */
  mail?: { kind: AnyMailKind; to(scene: Scene): string }
}

/** A call of `app.accounts` by the host's own code. */
export const onHost =
  (action: HostAction, value: (scene: Scene) => string = () => ''): Branch['request'] =>
  (scene) =>
    json('POST', `/host/${action}`, { id: scene.user.id, value: value(scene) })

export const json = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  cookie?: string,
): InjectOptions => ({
  method,
  url,
  ...(payload && { payload }),
  ...(cookie && { headers: { cookie } }),
})
export const get = (url: string, cookie?: string): InjectOptions => ({
  url,
  ...(cookie && { headers: { cookie } }),
})
export const form = { new_password: otherPassword, confirm_password: otherPassword }
export const credentials = ({ name }: Scene, password = goodPassword) => ({ username: name, password })
export const toUser = ({ email }: Scene): string => email
export const toFresh = ({ fresh }: Scene): string => fresh.email

/** Ends the user's sessions but keeps their rows, then logs in again. */
export async function deadSession(scene: Scene): Promise<Partial<Scene>> {
  const user = await scene.edit({ sessionEpoch: 1 })
  const login = await scene.logIn(goodPassword)
  return { user, other: `${login.cookies[0]?.name}=${encodeURIComponent(login.cookies[0]?.value ?? '')}` }
}

export const unverified = async (scene: Scene) => ({ user: await scene.edit({ isVerified: false }) })

/** The id of the other session in the list. */
export async function nameOfOther(scene: Scene): Promise<Partial<Scene>> {
  const response = await scene.send(get('/sessions/', scene.other))
  const { results } = response.json<{ results: { id: string; current: boolean }[] }>()
  return { link: results.find(({ current }) => current)?.id ?? '' }
}
