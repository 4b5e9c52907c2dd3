import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { describeClocks } from '../adapters/compare-clocks.js'
import { describeError } from '../adapters/describe-error.js'
import { createOutage, isOfOutage } from '../adapters/outages.js'
import type { Deps, InvitationTarget } from '../deps.js'
import { createComposer } from '../emails/compose.js'
import { createDelivery } from '../emails/delivery.js'
import type { MailTable } from '../emails/mail-facts.js'
import { mailRealms } from '../emails/own-realm.js'
import { createPostOffice } from '../emails/post-office.js'
import { createPostman, type Postman } from '../emails/postman.js'
import type { MailFailure } from '../emails/retries.js'
import { byCommand, commandActor } from '../events/actor.js'
import { type Courier, createCourier } from '../events/courier.js'
import { createEvents } from '../events/events.js'
import { createInterest } from '../events/interest.js'
import type { Subscribers } from '../events/subscribers.js'
import { createEventWriter } from '../events/writer.js'
import { type Composition, composeHasWayIn } from '../features/compose.js'
import { composeDeletion } from '../features/compose-deletion.js'
import type { RouteUrls } from '../http/route-urls.js'
import { shownName } from '../identifiers/account-name.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createOutboxClock } from '../outbox/outbox-clock.js'
import { databasePolicy, memoryPolicy } from '../outbox/retry-policy.js'
import { createPasswords } from '../passwords/passwords.js'
import type { PendingEvents } from '../seams/events.js'
import type { MessageQueue } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { createUserUpdates } from '../sessions/user-updates.js'
import { createThrottle } from '../throttle/throttle.js'
import { createEmailLinks } from '../tokens/email-link.js'
import { createVault } from '../tokens/vault.js'
import { freeLapsed } from '../users/free-lapsed.js'
import { finishingAccepted } from '../users/invitations/finish-accepted.js'
import type { AccountsEvents } from './accounts.js'
import type { Adapters } from './choose-adapters.js'
import { courierLog } from './courier-log.js'
import { emitSafely } from './events.js'
import { guardBefore } from './guard-before.js'
import { guardMails, guardTemplates } from './guard-callbacks.js'
import { linkKindsOf } from './link-kinds.js'
import type { PublicBases } from './public-bases.js'
import { throttleRealm } from './throttle-realm.js'

/** Assembles the deps, the postman and the courier. */
export function assemble(
  app: FastifyInstance,
  parts: {
    options: ResolvedOptions
    /** What the features provide. */
    composition: Composition
    adapters: Adapters
    bases: PublicBases
    where: RouteUrls
    keeper: SessionKeeper
    events: EventEmitter<AccountsEvents>
  },
): {
  deps: Deps
  postman: Postman
  courier: Courier
  /** Called once, at start: from then on events are stored for them, and delivered to them. */
  subscribe(subscribers: Subscribers): void
  /** Filled at start, once features can make them. */
  invitationTargets: Map<string, InvitationTarget>
  linkKinds: ReturnType<typeof linkKindsOf>
} {
  const { options, composition, adapters, bases, where, keeper, events } = parts
  const throttle = createThrottle(adapters.throttleStore, options.limits, throttleRealm(app, options))
  const invitationTargets = new Map<string, InvitationTarget>()
  const subjects = { ...adapters, invitationTargets, options }
  const linkKinds = linkKindsOf(composition.links, options, bases, where, subjects)
  const links = createEmailLinks({ users: adapters.users, signer: adapters.signer, kinds: linkKinds })
  const onFailure = (failure: MailFailure): void => {
    const { error, ...facts } = failure
    const text = 'accounts: gave up on an email'
    if (isOfOutage(error)) app.log.info({ ...facts, reason: describeError(error) }, text)
    else app.log.error({ err: error, ...facts }, text)
    emitSafely(app, events, 'mail-failed', failure)
    const { kind, userId } = failure
    byPlugin.events.tell('mail.given_up', userId === null ? null : { id: userId }, { kind })
  }
  const own = Object.keys(options.ownEmails)
  const mails: MailTable = {
    ...guardMails(composition.mails, options.adapterTimeout),
    ...Object.fromEntries(own.map((kind) => [kind, { counted: 'app' as const }])),
  }
  const realm = options.decorateAs.instance
  const office = {
    mails,
    links,
    outbox: adapters.outbox,
    realm,
    storesMails: adapters.storesMails,
    onFailure,
  }
  const delivering = {
    policy: adapters.storesMails ? databasePolicy : memoryPolicy,
    clock: createOutboxClock(adapters.storesMails ? adapters.now : undefined, (aheadMs) =>
      aheadMs === null
        ? app.log.info("accounts: the clock of this process agrees with the database's again")
        : app.log.warn({ aheadMs }, `accounts: ${describeClocks(aheadMs)}`),
    ),
    // Thirty seconds with the default deadline. It is renewed after each third, so one renewal may time out,
    // or the process stall for that long, before anybody else delivers the message.
    lease: 20_000 + 2 * options.adapterTimeout,
    // Already logged, as the outage of the outbox.
    onTrouble: (error: unknown): void => {
      if (!isOfOutage(error)) app.log.warn({ err: error }, 'accounts: the outbox is unavailable')
    },
  }
  const postman = createPostman({
    ...office,
    ...delivering,
    realms: mailRealms(options),
    delivery: createDelivery({
      users: adapters.users,
      invitations: adapters.invitations,
      invitationTargets,
      options,
      links,
      mails,
      linkKinds,
      throttle,
      mailer: adapters.mailer,
      mailerOutage: createOutage('the mailer', app.log),
      compose: createComposer(
        options.languages,
        options.brand,
        mails,
        guardTemplates(options, options.adapterTimeout),
      ),
      nameOf: (user) => shownName(options, user),
      site: options.brand.name,
      languages: options.languages,
    }),
    onDelay: ({ error, ...facts }) => {
      const text = 'accounts: an email could not be sent and will be retried'
      // A refused address is logged if the email is given up; an outage has been.
      if (isOfOutage(error) || error instanceof InvalidArgumentError)
        app.log.info({ ...facts, reason: describeError(error) }, text)
      else app.log.warn({ err: error, ...facts }, text)
    },
    onRefusals: (error) =>
      error === null
        ? app.log.info('accounts: the mail server accepts recipients again')
        : app.log.error(
            { err: error },
            'accounts: the mail server rejects every recipient; emails wait and will be retried',
          ),
  })
  const interest = createInterest(options.events)
  const courier = createCourier({
    interest,
    ...delivering,
    // Under our realms for events there are only our events.
    outbox: adapters.outbox as unknown as MessageQueue<PendingEvents>,
    mount: realm,
    ...courierLog(app.log),
  })
  const postOffice = createPostOffice({ ...office, postman, courier, language: options.languages.fallback })
  const writer = createEventWriter(realm, interest)
  const invitations = postOffice.carryInvitations(adapters.invitations, adapters.storesInvitationMails)
  const users = freeLapsed(postOffice.carry(adapters.users), options, writer)
  const updates = createUserUpdates(users, keeper)
  const eventful = createEvents({
    writer,
    stores: {
      users: { ...users, ...updates, ...finishingAccepted(updates, { users, invitations }) },
      invitations,
    },
    post: async (messages) => void (await courier.post(messages)),
    ...(app.hasDecorator(byCommand) && { callActor: () => commandActor }),
    log: app.log,
  })
  const byPlugin = eventful.events.byPlugin()
  return {
    postman,
    courier,
    subscribe(subscribers) {
      for (const [name, subscriber] of subscribers) interest.add(name, subscriber)
      courier.subscribe(subscribers)
    },
    invitationTargets,
    linkKinds,
    deps: {
      options,
      invitationTargets,
      rules: guardBefore(options, app.log),
      ...eventful,
      passwords: createPasswords(
        adapters.hasher,
        options.password.concurrency,
        app.log,
        adapters.passwordCheck,
      ),
      throttle,
      links,
      postOffice,
      vault: createVault(options.secret),
      hasWayIn: composeHasWayIn(composition.features, options),
      planDeletion: composeDeletion(composition.features),
      removeSessions: keeper.removeAll,
    },
  }
}
