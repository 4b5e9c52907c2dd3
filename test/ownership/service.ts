import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { scopes } from '@fastify-accounts/test-support/api-keys'
import { goodPassword, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import { appBrowser } from '@fastify-accounts/test-support/app-browser'
import { connect } from '@fastify-accounts/test-support/databases'
import type { Stores } from '@fastify-accounts/test-support/grounds'
import {
  type AccountsHook,
  type Alongside,
  alongsideCalls,
  apiKeys,
  invitations,
  type SessionStore,
  type SignUpAttempt,
} from 'fastify-accounts'

/** An app with a rule of its own, and what happens there besides responses. */
export interface Service extends TestApp<SessionStore> {
  /** What the app's rule was asked, the oldest first. */
  attempts: SignUpAttempt[]
  /** The ids of the accounts that were handed over. */
  handedOver: string[]
  /** The user and the address of each call of `alongside.verified`. */
  verified: [id: string, email: string | null][]
  staff: ReturnType<typeof appBrowser>
}

const fields = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 60 },
    plan: { type: 'string', maxLength: 60, readOnly: true },
    team: { type: 'string', maxLength: 60 },
  },
} as const

/** Roles that only the rule of the app gives, at a sign-up, to a new owner and about an invitation, and that of an invitation. */
export const grants = {
  atSignUp: 'promised',
  toOwner: 'granted',
  toInvited: 'welcomed',
  byInvitation: 'invited',
}

/** The stores, with the app's function; those in memory run it after the change. */
async function storesWith(stores: Stores, alongside: Alongside<unknown>): Promise<Stores> {
  const { place, prefix, users } = stores
  if (place !== undefined) {
    const db = await connect(place)
    const userStore = createKyselyUserStore({ db, alongside, destroyOnClose: true })
    const sessions = prefix === undefined ? createKyselySessionStore({ db, userStore }) : stores.sessions
    return { ...stores, users: userStore, sessions }
  }
  const { verified } = alongsideCalls(alongside, () => false)
  const update: typeof users.update = async (id, changes, ...more) => {
    const before = await users.findById(id)
    const after = await users.update(id, changes, ...more)
    if (before && after && verified?.isPossible(changes) && verified.isDue(before, after))
      await verified.run(undefined, after, Number.POSITIVE_INFINITY)
    return after
  }
  return { ...stores, users: { ...users, update } }
}

export async function startService(stores: Stores): Promise<Service> {
  const attempts: SignUpAttempt[] = []
  const handedOver: string[] = []
  const verified: Service['verified'] = []
  const service = await testAppOn(
    await storesWith(stores, {
      async verified(_tx, { id, email }) {
        verified.push([id, email])
      },
    }),
    {
      users: { variant: 'both', fields },
      roles: Object.fromEntries(Object.values(grants).map((role) => [role, []])),
      login: { emailCode: true },
      features: [passkeys(), apiKeys({ scopes }), invitations()],
      adapterTimeout: 60_000,
      before: {
        signUp(attempt: SignUpAttempt) {
          attempts.push(attempt)
          if (attempt.method === 'invitation') return { roles: [grants.toInvited] }
          return attempt.handsOver
            ? { roles: [grants.toOwner] }
            : { roles: [grants.atSignUp], fields: { ...attempt.fields, plan: 'basic' } }
        },
      },
    },
    {
      before(app) {
        const requireScope: AccountsHook = (request, reply) =>
          app.accounts.requireScope('orders:read')(request, reply)
        app.get('/orders', { onRequest: requireScope }, async () => [])
      },
    },
  )
  service.app.accounts.events.on('audit', ({ action, userId }) => {
    if (action === 'handed-over') handedOver.push(`${userId}`)
  })
  await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
  const staff = appBrowser(service)
  await staff.logIn('boss')
  return { ...service, attempts, handedOver, verified, staff }
}
