import type { FastifyInstance } from 'fastify'

/** Routes of the host, one for each way that `app.accounts` uses a store. */
export function mountHost(app: FastifyInstance): void {
  const { accounts } = app
  app.get('/host/required', { preHandler: accounts.requireUser }, async (request) => ({
    username: request.user?.username,
  }))
  app.get('/host/loaded', { onRequest: accounts.loadUser }, async (request) => ({
    username: request.user?.username ?? null,
  }))
  app.post<{ Params: { action: keyof typeof actions }; Body: { id: string; value: string } }>(
    '/host/:action',
    async ({ params, body }) => actions[params.action](body),
  )
  const actions = {
    'create-user': ({ value }: { value: string }) =>
      accounts.createUser({ username: value, email: `${value}@example.org`, password: hostPassword }),
    'list-users': ({ value }: { value: string }) => accounts.listUsers({ search: value, limit: 1 }),
    'password-link': async ({ id }: { id: string }) => ({
      made: (await accounts.createPasswordLink(id)) !== null,
    }),
    'list-sessions': ({ id }: { id: string }) => accounts.listSessions(id),
    'end-session': async ({ id, value }: { id: string; value: string }) => ({
      found: await accounts.endSession(id, value),
    }),
    rename: ({ id, value }: { id: string; value: string }) => accounts.updateUser(id, { username: value }),
    'find-user': ({ value }: { value: string }) => accounts.findUser({ username: value }),
    'set-password': async ({ id, value }: { id: string; value: string }) => ({
      found: await accounts.setPassword(id, value),
    }),
    disable: ({ id }: { id: string }) => accounts.updateUser(id, { isActive: false }),
    'end-sessions': async ({ id }: { id: string }) => ({ found: await accounts.endUserSessions(id) }),
    'reset-factors': async ({ id }: { id: string }) => ({ reset: await accounts.resetUserFactors(id) }),
    secure: async ({ id }: { id: string }) => ({ secured: await accounts.secureUser(id) }),
    'remove-user': async ({ id }: { id: string }) => ({ found: await accounts.deleteUser(id) }),
  }
}

export const hostPassword = 'a password from a script'
