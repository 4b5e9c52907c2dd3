import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { isOfOutage } from '../adapters/outages.js'
import type { Deps } from '../deps.js'
import { createComposer } from '../emails/compose.js'
import { createDelivery, type LinkKind } from '../emails/delivery.js'
import { createPostOffice } from '../emails/post-office.js'
import { createPostman, type MailFailure, type Postman } from '../emails/postman.js'
import type { ResolvedOptions } from '../options/options.js'
import { createPasswords } from '../passwords/passwords.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { createThrottle } from '../throttle/throttle.js'
import { createEmailLinks, type Purpose } from '../tokens/email-link.js'
import type { AccountsEvents } from './accounts.js'
import type { Adapters } from './choose-adapters.js'
import { emitSafely } from './emit-safely.js'
import type { PublicBases } from './public-bases.js'
import { throttleRealm } from './throttle-realm.js'

/** What the services work with, and who takes their mails out. */
export function assemble(
  app: FastifyInstance,
  parts: {
    options: ResolvedOptions
    adapters: Adapters
    bases: PublicBases
    keeper: SessionKeeper
    events: EventEmitter<AccountsEvents>
  },
): { deps: Deps; postman: Postman } {
  const { options, adapters, bases, keeper, events } = parts
  const throttle = createThrottle(adapters.throttleStore, options.limits, throttleRealm(app, options))
  const linkKinds = linkKindsOf(options, bases)
  const links = createEmailLinks({ users: adapters.users, signer: adapters.signer, kinds: linkKinds })
  const onFailure = (failure: MailFailure): void => {
    const { error, kind, userId } = failure
    app.log.error({ err: error, kind, userId }, 'accounts: a mail was given up')
    emitSafely(app, events, 'mail-failed', failure)
  }
  const office = {
    outbox: adapters.outbox,
    realm: options.decorateAs.instance,
    isLasting: adapters.outboxIsLasting,
    onFailure,
  }
  const postman = createPostman({
    ...office,
    delivery: createDelivery({
      users: adapters.users,
      links,
      linkKinds,
      throttle,
      mailer: adapters.mailer,
      compose: createComposer(options.languages, options.brand, options.given.emails),
      site: options.brand.name,
      languages: options.languages,
    }),
    // Thirty seconds, unless the deadline was changed. It is renewed each third: one renewal may fail at its deadline, or
    // the process stand still for that long, and nobody else sends the mail meanwhile.
    lease: 20_000 + 2 * options.adapterTimeout,
    onDelay: ({ error, kind, userId }) => {
      // In an outage of a store nobody was asked to take it.
      const data = isOfOutage(error) ? { kind, userId } : { err: error, kind, userId }
      app.log.warn(data, 'accounts: a mail was not taken, and is tried again')
    },
    onRefusals: (error) =>
      error === null
        ? app.log.info('accounts: the mail server accepts recipients again')
        : app.log.error(
            { err: error },
            'accounts: the mail server refuses every recipient; emails wait and are tried again',
          ),
    // Told of already, as the outage of the outbox.
    onTrouble: (error) => {
      if (!isOfOutage(error)) app.log.warn({ err: error }, 'accounts: the outbox does not answer')
    },
  })
  const postOffice = createPostOffice({ ...office, postman, language: options.languages.fallback })
  return {
    postman,
    deps: {
      options,
      users: postOffice.carry(adapters.users),
      passwords: createPasswords(adapters.hasher, options.password.concurrency),
      throttle,
      links,
      postOffice,
      removeSessions: keeper.removeAll,
    },
  }
}

/** Purpose by purpose: where links lead, and how long they live. */
function linkKindsOf(
  { auth, links }: ResolvedOptions,
  bases: PublicBases,
): Record<Purpose, LinkKind & { audience: string }> {
  const own = (path: string, lifetime: number): LinkKind & { audience: string } => ({
    audience: bases.auth,
    lifetime,
    url: ({ uid64, token }) => `${bases.auth}/${path}/${uid64}/${token}/`,
  })
  /** The address that it is about stands in the query. */
  const aboutAddress = (kind: LinkKind & { audience: string }): LinkKind & { audience: string } => ({
    ...kind,
    url: (parts, about) => `${kind.url(parts, about)}?${new URLSearchParams({ email: about.address })}`,
  })
  const reset = own('reset', links.resetLifetime)
  return {
    'reset-password': auth === false ? { ...reset, url: () => undefined } : reset,
    'verify-email': {
      audience: bases.users,
      lifetime: links.verifyLifetime,
      url: ({ uid64, token }, { variant }) => `${bases.users}/${variant ?? 'user'}/v/${uid64}/${token}/`,
    },
    'change-email': aboutAddress(own('email', links.changeEmailLifetime)),
    'undo-email': aboutAddress(own('email/undo', links.undoLifetime)),
    'release-email': aboutAddress(own('email/release', links.undoLifetime)),
    'not-me': own('not-me', links.undoLifetime),
  }
}
