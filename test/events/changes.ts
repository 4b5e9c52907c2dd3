import { goodPassword } from '@fastify-accounts/test-support/app'
import type { UserStore } from 'fastify-accounts'
import type { Service } from './service.js'

export type Change = keyof typeof changes

interface Made {
  /** Makes it, of this user; resolves to the user's id. */
  make(service: Service, userId: string, username: string): Promise<string>
  /** Whether the users' table has it. */
  isDone(users: UserStore, userId: string, username: string): Promise<boolean>
  type: string
}

export const changes = {
  'sign up': {
    async make({ app }, _, username) {
      const payload = {
        ...{ username, email: `${username}@example.org` },
        ...{ password: goodPassword, confirm_password: goodPassword },
      }
      const response = await app.inject({ method: 'POST', url: '/user/', payload })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json().id
    },
    isDone: async (users, _, username) => (await users.findByUsername(username)) !== null,
    type: 'user.created',
  },
  update: {
    async make({ accounts }, userId, username) {
      await accounts.updateUser(userId, { fields: { team: username } })
      return userId
    },
    isDone: async (users, userId, username) => (await users.findById(userId))?.fields.team === username,
    type: 'user.updated',
  },
  delete: {
    async make({ accounts }, userId) {
      await accounts.deleteUser(userId)
      return userId
    },
    isDone: async (users, userId) => (await users.findById(userId)) === null,
    type: 'user.deleted',
  },
} satisfies Record<string, Made>
