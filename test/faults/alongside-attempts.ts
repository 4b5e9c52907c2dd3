import { isDeepStrictEqual } from 'node:util'
import { cookieOf, goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import type { TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import type { FastifyInstance, LightMyRequestResponse as Response } from 'fastify'
import type { Alongside, UserStore } from 'fastify-accounts'
import { expect } from 'vitest'
import { isRemainder } from '../../packages/accounts/src/users/ownership/states.js'

/** A request that runs a function of `alongside`, and may be sent again. */
interface Attempt {
  /** With the deadline of this service. */
  send(service: Service): Promise<Response>
  /** The user whose creation or deletion runs it. */
  isDone(): Promise<boolean>
  /** The status if nothing fails. */
  status: number
  /** The statuses of the same request once it is done. */
  again: number[]
  /** Whether everything is as before the attempt. */
  isUndone?(): Promise<boolean>
  /** What the app deletes later, if the attempt is never made again. */
  deleteRest?(): Promise<boolean>
}

/** What an attempt works with. */
interface Bench {
  issuer: TestIssuer
  calm: Service
  /** The store without the functions, on a connection that nothing cuts. */
  direct: Pick<UserStore, 'findById' | 'findByUsername' | 'findByEmail'>
  /** Both are unique to the attempt. */
  name: string
  remoteAddress: string
}

export interface Action {
  calls: keyof Alongside<never>
  confirms?: boolean
  prepare(bench: Bench): Promise<Attempt>
}

const signUp = (username: string, email: string) => ({
  method: 'POST' as const,
  url: '/user/',
  payload: { username, email, password: goodPassword, confirm_password: goodPassword },
})

export const actions: Record<string, Action> = {
  'a sign-up': {
    calls: 'created',
    prepare: async ({ direct, name, remoteAddress }) => ({
      send: ({ send }) => send({ ...signUp(name, `${name}@example.org`), remoteAddress }),
      isDone: async () => (await direct.findByUsername(name)) !== null,
      status: 201,
      again: [409],
    }),
  },
  'a sign-up with a taken address': {
    calls: 'created',
    confirms: true,
    async prepare({ calm, direct, name, remoteAddress }) {
      const email = `${name}@example.org`
      const owner = { username: `${name}-owner`, password: goodPassword, email, isVerified: true }
      await calm.app.accounts.createUser(owner)
      return {
        send: ({ send }) => send({ ...signUp(name, email), remoteAddress }),
        async isDone() {
          const kept = await direct.findByUsername(name)
          expect([undefined, 'unclaimed']).toContain(kept?.kind)
          return kept !== null
        },
        status: 202,
        again: [409],
      }
    },
  },
  'a proof of the address': {
    calls: 'verified',
    async prepare({ calm, direct, name: username, remoteAddress }) {
      const email = `${username}@example.org`
      const { send } = calm
      await send({ ...signUp(username, email), remoteAddress })
      const user = await calm.app.accounts.findUser({ username })
      await send({ method: 'POST', url: '/user/v/', payload: { email }, remoteAddress })
      const url = linkPath(await calm.post.mail('verify-email', email))
      return {
        send: (service) =>
          service.send({
            method: 'POST',
            url: `${url}password/`,
            payload: { password: goodPassword },
            remoteAddress,
          }),
        isDone: async () => (await direct.findById(user?.id ?? ''))?.isVerified === true,
        status: 200,
        again: [200],
      }
    },
  },
  'a deletion': {
    calls: 'deleted',
    async prepare({ calm, direct, name: username, remoteAddress }) {
      const password = goodPassword
      const { id } = await calm.app.accounts.createUser({ username, password })
      const login = {
        method: 'POST',
        url: '/login/',
        payload: { username, password },
        remoteAddress,
      } as const
      const headers = { cookie: cookieOf(await calm.send(login)) }
      return {
        send: ({ send }) => send({ method: 'DELETE', url: `/user/${id}`, headers, remoteAddress }),
        isDone: async () => (await direct.findByUsername(username)) === null,
        status: 204,
        again: [401],
      }
    },
  },
  'a hand-over, as the new account is created': {
    calls: 'created',
    async prepare(bench) {
      const { direct, name } = bench
      const { id } = await plant(bench)
      const before = await direct.findById(id)
      return {
        send: takeOver(bench),
        async isDone() {
          const holder = await direct.findByEmail(addressOf(name))
          return holder !== null && holder.id !== id
        },
        async isUndone() {
          const old = await direct.findById(id)
          return isDeepStrictEqual(old, before && { ...before, version: old?.version })
        },
        status: 303,
        again: [303],
      }
    },
  },
  'a hand-over, as the old account is deleted': {
    calls: 'handedOver',
    async prepare(bench) {
      const { calm, direct, name } = bench
      const { id } = await plant(bench)
      return {
        send: takeOver(bench),
        async isDone() {
          const left = await direct.findById(id)
          // Nobody can log in to what is left.
          if (left !== null && left.email !== addressOf(name)) expect(isRemainder(left)).toBe(true)
          return left === null
        },
        status: 303,
        again: [303],
        // As `delete-unverified` does.
        deleteRest: () => calm.app.accounts.deleteUser(id),
      }
    },
  },
}

const addressOf = (name: string): string => `${name}@example.org`

/** An account that a stranger has made with somebody's address. */
const plant = ({ calm, name: username }: Bench) =>
  calm.app.accounts.createUser({ username, password: goodPassword, email: addressOf(username) })

/** Its owner, who comes by a provider that vouches for the address. */
const takeOver =
  ({ issuer, name, remoteAddress }: Bench): Attempt['send'] =>
  ({ send }) => {
    const inject = (request: object) => send({ ...request, remoteAddress })
    const browser = visitor({ app: { inject } as unknown as FastifyInstance, issuer })
    return browser.logInWith({ sub: name, email: addressOf(name), email_verified: true })
  }
