import { createHash, randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type InjectOptions,
  type LightMyRequestResponse as Response,
} from 'fastify'
import accounts, {
  type AccountsOptions,
  type AnyMailKind,
  createHmacSigner,
  createMemoryInvitationStore,
  type Mail,
  type Mailer,
  type PasswordHasher,
} from 'fastify-accounts'
import type { Feature } from 'fastify-accounts/features'
import { baseUrl, secret } from '../app.js'
import type { Stores } from './grounds.js'
import { mountHost } from './host-routes.js'
import { probed } from './probe.js'

/** A complete app whose adapters can each be made to fail. */
export interface Service {
  app: FastifyInstance
  /** The stores without probes: what is actually stored. */
  stores: Required<Stores>
  post: Post
  send(request: InjectOptions): Promise<Response>
}

/** One of them makes its users privileged. */
const hostRoles = { editor: ['posts:write'], support: ['users:read', 'users:disable'] }
/** An email of the host's own. */
export const hostMail = 'welcome'

/** Users without a password can log in there, but for those who have just signed up. */
const elsewhere: Feature = { name: 'elsewhere', hasWayIn: ({ username }) => !username?.startsWith('bob-') }

export async function startService(
  { invitations = createMemoryInvitationStore(), ...others }: Stores,
  options: Partial<AccountsOptions> = {},
  post: Post = createPost(),
  server: FastifyServerOptions = {},
): Promise<Service> {
  const app = Fastify({ pluginTimeout: 0, ...server })
  const stores = { ...others, invitations }
  const passwordCheck = probed('check', { ask: async () => null })
  await app.register(accounts, {
    secret,
    baseUrl,
    users: true,
    // Its calls come after the response, and would hit the next fault; mailer.test.ts tests them.
    session: { newDeviceMail: false },
    features: [elsewhere],
    roles: hostRoles,
    ownEmails: { [hostMail]: () => ({ subject: 'Welcome', text: 'Welcome.', html: '<p>Welcome.</p>' }) },
    ...probedStores(stores),
    tokenSigner: probed('signer', createHmacSigner({ secret })),
    ...options,
    password: { check: () => passwordCheck.ask(), ...options.password },
    passwordHasher: probed('hasher', options.passwordHasher ?? instantHasher),
    mailer: probed('mailer', options.mailer ?? post.mailer),
    throttle: { store: probed('throttle', stores.throttle), ...options.throttle },
  })
  mountHost(app)
  await app.ready()
  app.accounts.events.on('mail-failed', post.fail)
  return { app, stores, post, send: (request) => app.inject(request) }
}

/**
 * The stores with probes. If users and sessions share a database, their combined write is watched as `users.update`, and their
 * combined read as the two calls it replaces.
 */
function probedStores({
  users,
  sessions,
  invitations,
}: Required<Stores>): Pick<AccountsOptions, 'userStore' | 'sessionStore' | 'invitationStore'> {
  const outbox = users.outbox && probed('outbox', users.outbox)
  const userStore = probed('users', outbox === undefined ? users : { ...users, outbox })
  const invitationStore = probed(
    'invitations',
    outbox === undefined ? invitations : { ...invitations, outbox },
  )
  const sessionStore = probed('sessions', sessions)
  if (sessions.withUsers === undefined) return { userStore, sessionStore, invitationStore }
  const { update } = probed('users', sessions.withUsers)
  const withUsers = {
    users: userStore,
    async find(id: string) {
      const session = await sessionStore.find(id)
      return session && { session, user: await userStore.findById(session.userId) }
    },
    update,
  }
  return { userStore, sessionStore: { ...sessionStore, withUsers }, invitationStore }
}

/**
 * Hashes within one turn, so no deadline passes because the machine is busy. Version 1 hashes need a rehash.
 */
export const instantHasher: PasswordHasher = {
  hash: async (password) => hashOf('v2', randomUUID(), password),
  canVerify: (hash) => /^v[12]\$/.test(hash),
  async verify(password, hash) {
    const [version = '', salt = ''] = hash.split('$')
    return hash === hashOf(version, salt, password)
  },
  needsRehash: (hash) => !hash.startsWith('v2$'),
}

export function hashOf(version: string, salt: string, password: string): string {
  return `${version}$${salt}$${createHash('sha256').update(salt).update(password).digest('base64url')}`
}

/** Collects sent and failed emails. */
export interface Post {
  mailer: Mailer
  mails: Mail[]
  failed: AnyMailKind[]
  fail(failure: { kind: AnyMailKind }): void
  /** Waits for an email of this kind to this address, and returns the newest. */
  mail(kind: AnyMailKind, address: string): Promise<Mail>
  /** Waits until the email arrives or is given up. */
  outcome(kind: AnyMailKind, address: string, before: number): Promise<'arrived' | 'given up'>
}

export function createPost(): Post {
  const mails: Mail[] = []
  const failed: AnyMailKind[] = []
  let wake = (): void => {}
  let news = new Promise<void>((resolve) => {
    wake = resolve
  })
  function tell(): void {
    wake()
    news = new Promise((resolve) => {
      wake = resolve
    })
  }
  async function until<Found>(look: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      await news
    }
  }
  return {
    mails,
    failed,
    mailer: {
      async send(mail) {
        mails.push(mail)
        tell()
      },
    },
    fail({ kind }) {
      failed.push(kind)
      tell()
    },
    mail: (kind, address) =>
      until(() => mails.findLast((mail) => mail.kind === kind && mail.to.address === address)),
    outcome: (kind, address, before) =>
      until(() => {
        if (failed.length > before) return 'given up'
        return mails.some((mail) => mail.kind === kind && mail.to.address === address) ? 'arrived' : undefined
      }),
  }
}
