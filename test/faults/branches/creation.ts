import { goodPassword } from '@fastify-accounts/test-support/app'
import type { InjectOptions } from 'fastify'
import * as actions from '../actions.js'
import { type Branch, json, toFresh, toUser } from './branch.js'
import { variants } from './variants.js'

export const creation: Branch[] = variants.flatMap(({ variant, create }) => {
  const signUp = ({ username, email }: { username: string; email: string }, cookie?: string): InjectOptions =>
    json(
      'POST',
      `/${variant}/`,
      { username, email, password: goodPassword, confirm_password: goodPassword },
      cookie,
    )
  const alone = ({ username, email }: { username: string; email: string }): InjectOptions =>
    json('POST', `/${variant}/`, { username, email })
  const branches: Branch[] = [
    { name: '', request: ({ fresh }) => signUp(fresh), status: 201, action: actions.signUp },
    {
      name: ' while logged in',
      request: ({ fresh, cookie }) => signUp(fresh, cookie),
      status: 201,
      action: actions.signUp,
    },
    {
      name: ' with a taken username',
      request: ({ fresh, name }) => signUp({ ...fresh, username: name }),
      status: 409,
      action: actions.nothing,
    },
    {
      name: ' to be confirmed',
      confirms: true,
      request: ({ fresh }) => signUp(fresh),
      status: 202,
      action: actions.signUp,
      mail: { kind: 'verify-email', to: toFresh },
    },
    {
      name: ' to be confirmed with an address that has an account',
      confirms: true,
      request: ({ fresh, email }) => signUp({ ...fresh, email }),
      status: 202,
      action: actions.unclaimedSignUp,
      mail: { kind: 'account-exists', to: toUser },
    },
    {
      name: ' with the address alone, to be confirmed',
      request: ({ fresh }) => alone(fresh),
      status: 202,
      action: actions.signUpAlone,
      mail: { kind: 'verify-email', to: toFresh },
    },
    {
      name: ' with the address alone, to be confirmed with an address that has an account',
      request: ({ fresh, email }) => alone({ ...fresh, email }),
      status: 202,
      action: actions.unclaimedSignUp,
      mail: { kind: 'account-exists', to: toUser },
    },
  ]
  return branches.map((branch) => ({
    ...branch,
    route: `${create} POST`,
    name: `create (${variant})${branch.name}`,
  }))
})
