import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import type { InjectOptions } from 'fastify'
import type { MailKind } from 'fastify-accounts'
import type { Action } from '../actions.js'

/** One way through a route. */
export interface Branch {
  name: string
  /** The entry of /api-root/, and the method; absent for the host's own routes. */
  route?: string
  /** Whether sign-ups must confirm their address. Default `false`. */
  confirms?: boolean
  /** Whether somebody else changes the user between the look-up and the update. Default `false`. */
  isContended?: boolean
  prepare?(scene: Scene): Promise<Partial<Scene> | undefined>
  request(scene: Scene): InjectOptions
  /** The answer where nothing fails. */
  status: number
  action: Action
  /** Which mail goes out, and whereto. */
  mail?: { kind: MailKind; to(scene: Scene): string }
}

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

/** Another session of the user is dead, with its row still there. */
export async function deadSession(scene: Scene): Promise<Partial<Scene>> {
  const user = await scene.edit({ sessionEpoch: 1 })
  const login = await scene.logIn(goodPassword)
  return { user, other: `${login.cookies[0]?.name}=${encodeURIComponent(login.cookies[0]?.value ?? '')}` }
}

export const unverified = async (scene: Scene) => ({ user: await scene.edit({ isVerified: false }) })
