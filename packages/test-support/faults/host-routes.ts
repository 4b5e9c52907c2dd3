import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityName } from 'fastify-accounts'

/** What an action gets: a user's id, and a text whose meaning depends on the action. */
interface Given {
  id: string
  value: string
}

/** Calls of `app.accounts`, by the name of their route. */
const actionsOf = ({ accounts }: FastifyInstance) => ({
  'create-user': ({ value }: Given) =>
    accounts.createUser({ username: value, email: `${value}@example.org`, password: hostPassword }),
  'list-users': ({ value }: Given) => accounts.listUsers({ search: value, limit: 1 }),
  'password-link': async ({ id }: Given) => ({ made: (await accounts.createPasswordLink(id)) !== null }),
  'list-sessions': ({ id }: Given) => accounts.listSessions(id),
  export: ({ id }: Given) => accounts.exportUser(id),
  'end-session': async ({ id, value }: Given) => ({ found: await accounts.endSession(id, value) }),
  rename: ({ id, value }: Given) => accounts.updateUser(id, { username: value }),
  'change-email': ({ id, value }: Given) => accounts.updateUser(id, { email: value }),
  verify: ({ id }: Given) => accounts.updateUser(id, { isVerified: true }),
  'change-roles': ({ id, value }: Given) => accounts.updateUser(id, { roles: [value] }),
  'find-user': ({ value }: Given) => accounts.findUser({ username: value }),
  'find-by-email': ({ value }: Given) => accounts.findUser({ email: value }),
  'find-by-identity': ({ value }: Given) => accounts.findUser({ identity: identityOf(value) }),
  'set-password': async ({ id, value }: Given) => ({ found: await accounts.setPassword(id, value) }),
  disable: ({ id }: Given) => accounts.updateUser(id, { isActive: false }),
  'end-sessions': async ({ id }: Given) => ({ found: await accounts.endUserSessions(id) }),
  'reset-factors': async ({ id }: Given) => ({ reset: await accounts.resetUserFactors(id) }),
  secure: async ({ id }: Given) => ({ secured: await accounts.secureUser(id) }),
  'list-identities': ({ id }: Given) => accounts.listIdentities(id),
  'add-identity': async ({ id, value }: Given) => ({
    found: await accounts.addIdentity(id, identityOf(value)),
  }),
  'remove-identity': async ({ id, value }: Given) => ({ found: await accounts.removeIdentity(id, value) }),
  'remove-user': async ({ id }: Given) => ({ found: await accounts.deleteUser(id) }),
  invite: async ({ value }: Given) => ({ invited: await accounts.invite({ email: value }) }),
  'list-activity': ({ id }: Given) => accounts.listActivity(id),
  'list-invitations': () => accounts.listInvitations(),
  'resend-invitation': async ({ id }: Given) => ({ found: await accounts.resendInvitation(id) }),
  'withdraw-invitation': async ({ id }: Given) => ({ found: await accounts.withdrawInvitation(id) }),
  'create-service': ({ value }: Given) => accounts.createService({ username: value }),
  'list-services': () => accounts.listServices(),
  'create-api-key': ({ id, value }: Given) => accounts.createApiKey(id, { name: 'script', scopes: [value] }),
  'list-api-keys': ({ id }: Given) => accounts.listApiKeys(id),
  'remove-api-key': async ({ id, value }: Given) => ({ found: await accounts.removeApiKey(id, value) }),
  mail: async ({ id, value }: Given) => ({ posted: await accounts.mail(value, id) }),
  perform: async ({ value }: Given, request: FastifyRequest, reply: FastifyReply) => {
    const { body } = await accounts.perform(request, reply, 'updateMe', { body: { username: value } })
    return body
  },
  'log-in': async ({ id }: Given, request: FastifyRequest, reply: FastifyReply) => ({
    username: (await accounts.logIn(request, reply, id)).username,
  }),
})

export type HostAction = keyof ReturnType<typeof actionsOf>

/** The names of all, none of which needs an app before it is called. */
export const hostActions = Object.keys(actionsOf({} as FastifyInstance))

/** Routes of the host, one for each way that `app.accounts` uses a store. */
export function mountHost(app: FastifyInstance): void {
  const { accounts } = app
  app.get('/host/required', { preHandler: accounts.requireUser }, async (request) => ({
    username: request.user?.username,
  }))
  app.get('/host/loaded', { onRequest: accounts.loadUser }, async (request) => ({
    username: request.user?.username ?? null,
  }))
  app.get(
    '/host/scoped',
    // Only with the feature for keys there are scopes.
    { onRequest: (request, reply) => accounts.requireScope(hostScope)(request, reply) },
    async (request) => ({ key: accounts.keyOf(request)?.name ?? null }),
  )
  const actions = actionsOf(app)
  app.post<{ Params: { action: HostAction }; Body: Given }>(
    '/host/:action',
    async (request, reply): Promise<unknown> => actions[request.params.action](request.body, request, reply),
  )
  if ('organizations' in accounts) mountInside(app, accounts.organizations as unknown as Inside)
}

/** What a feature for organizations adds, whose names aren't in every program. */
type Inside = Record<string, (...args: unknown[]) => Promise<unknown>> & {
  requireMember(): (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** A route inside an organization, and one for each call about organizations. */
function mountInside(app: FastifyInstance, organizations: Inside): void {
  const onRequest = organizations.requireMember()
  app.get('/inside/:organization', { onRequest }, async () => ({ isInside: true }))
  app.post<{ Params: { call: string }; Body: { args: unknown[] } }>(
    '/organizations-of-host/:call',
    async ({ params: { call }, body: { args } }) => ({ result: await organizations[call]?.(...args) }),
  )
}

const identityOf = (subject: string): IdentityName => ({ provider: 'demo', subject })

export const hostPassword = 'a password from a script'
/** What the route for programs asks for. */
export const hostScope = 'orders:read'
