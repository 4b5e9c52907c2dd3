/*
 * Begin here. The files in the order in which they work on an email:
 *
 * 1. Post: this file is what features see. pending-mail.ts makes the email that waits, mail-facts.ts has the properties
 *    of its kind, outbox/backlog.ts tells whether there is room. It waits in an outbox, see seams/outbox.ts.
 * 2. Claim: postman.ts joins all that follows. In outbox/, which serves events as well, poll-times.ts says when to look,
 *    claimer.ts takes what is due and renews its claims, outbox-clock.ts is the clock they go by.
 * 3. Decide: handle-mail.ts takes one claimed email through the rest. addressee.ts finds who gets it, mail-budgets.ts
 *    whether now, later or never.
 * 4. Compose and send: delivery.ts, with links from mail-links.ts and the text from compose.ts, occasion.ts,
 *    layout.ts and harmless-text.ts. removal-note.ts is what a notice tells about removed credentials.
 * 5. Finish: outbox/remover.ts deletes what was sent. retries.ts puts back what failed, and tells a server that refuses
 *    everybody from a wrong address; outbox/retry-policy.ts has all that differs between outboxes.
 */

import type { Language } from '../languages/languages.js'
import { isEvents, type PendingEvents } from '../seams/events.js'
import type { InvitationStoreCalls } from '../seams/invitation-store.js'
import type { MailKind } from '../seams/mailer.js'
import type { MessageQueue, PendingMail, PendingMessage } from '../seams/outbox.js'
import type { Client } from '../sessions/client.js'
import type { WritableUsers } from '../sessions/user-updates.js'
import type { EmailLinks } from '../tokens/email-link.js'
import type { JsonValue, User } from '../user.js'
import { givenName } from './harmless-text.js'
import { isPrepaid, type MailTable, mailFacts } from './mail-facts.js'
import { inOneLine } from './occasion.js'
import { ownRealm } from './own-realm.js'
import { type Cause, type MailDetails, mailAbout, mailToOwner, ownMail } from './pending-mail.js'
import type { Postman } from './postman.js'
import type { MailFailure } from './retries.js'

/** Features write and post emails with it. Emails are sent after the response, and never delay it. */
export interface PostOffice {
  /** An email about a user, to be posted or stored with a change of the user; none without an address. */
  about(
    kind: MailKind,
    user: Omit<User, 'id' | 'version'> & Partial<Pick<User, 'id'>>,
    details?: MailDetails,
  ): readonly PendingMail[]
  /** An email to the person who has an address at delivery. */
  toOwner(kind: MailKind, emailKey: string, details?: MailDetails): readonly PendingMail[]
  /** An email of the option `ownEmails`. */
  own(kind: string, userId: string, data: JsonValue | undefined): readonly PendingMail[]
  /**
   * Stores emails that belong to no change of an account, or tell of one that isn't made yet: an email posted after a write is
   * lost if the process dies in between. If too many wait, they are dropped, except those whose budget is spent
   * already, which limits them, and those that tell of a change.
   * @returns whether they were stored
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  post(mails: readonly PendingMail[]): Promise<boolean>
  /**
   * The same office for emails that a request causes: in its language, with its device and network.
   * @param session what the user calls the session: which app or device somebody has a token of, whatever they say they are
   */
  onRequest(client: Pick<Client, 'language' | 'details' | 'network'>, session?: string | null): PostOffice
  /** The same office for what staff do to the accounts of others: without their device and network. */
  byStaff(): PostOffice
}

/** For the plugin only. */
interface Carrier {
  /** A user store that stores emails and events with a change, whether or not the underlying store can. */
  carry(users: WritableUsers): WritableUsers
  /**
   * The same for an invitation store.
   * @param storesMessages whether it stores them with an invitation
   */
  carryInvitations(store: InvitationStoreCalls, storesMessages: boolean): InvitationStoreCalls
}

/**
 * @param deps.realm the mount that this office belongs to: others have their own links and theme
 * @param deps.storesMails whether the outbox is the user store's, which stores emails with changes itself
 * @param deps.courier delivers the events that changes have beside their emails
 */
export function createPostOffice(deps: {
  outbox: Pick<MessageQueue<PendingMail>, 'add'>
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf'>
  postman: Pick<Postman, 'wake' | 'refusal'>
  courier: { postAfter(messages: readonly PendingEvents[]): Promise<void>; wake(): void }
  realm: string
  storesMails: boolean
  language: Language
  onFailure(failure: MailFailure): void
}): PostOffice & Carrier {
  const { outbox, mails: table, links, postman, courier, realm, storesMails, onFailure } = deps
  const state = {
    stateOf: links.stateOf,
    linkOf: (kind: MailKind) => mailFacts(table, kind).link,
  }

  async function post(mails: readonly PendingMail[], isAboutChange = false): Promise<boolean> {
    const [first] = mails
    if (first === undefined) return true
    const facts = mails.map(({ kind }) => mailFacts(table, kind))
    const tells = isAboutChange || facts.every(({ notice }) => notice !== undefined)
    const error = facts.every(isPrepaid) ? null : await postman.refusal(first.realm, mails.length, tells)
    if (error !== null) {
      for (const { kind, userId, subject } of mails) onFailure({ kind, userId, subject, error })
      return false
    }
    await outbox.add(mails)
    postman.wake()
    return true
  }

  const mailsIn = (messages: readonly PendingMessage[]) =>
    messages.filter((message): message is PendingMail => !isEvents(message))

  async function postAll(messages: readonly PendingMessage[]): Promise<void> {
    await post(mailsIn(messages), true)
    await courier.postAfter(messages.filter(isEvents))
  }

  /**
   * Makes a change. Its emails and events are stored with it. Those of a store without an outbox wait in memory, which is lost
   * with the process in any case, and so are posted after it: a change that isn't made must not be told. `null` or `false` if
   * nothing was changed.
   */
  async function along<Changed extends object | null | boolean>(
    messages: readonly PendingMessage[],
    change: (messages: readonly PendingMessage[]) => Promise<Changed>,
    areStored = storesMails,
    postAfter = (after: readonly PendingMessage[], _changed: NonNullable<Changed>) => postAll(after),
  ): Promise<Changed> {
    const changed = await change(areStored ? messages : [])
    if (!changed) return changed
    if (!areStored) await postAfter(messages, changed)
    else {
      if (!messages.every(isEvents)) postman.wake()
      if (messages.some(isEvents)) courier.wake()
    }
    return changed
  }

  /** @param causeOf is only called for an email: reading who sent a request costs, and most requests cause none. */
  const officeFor = (causeOf: () => Cause): PostOffice => ({
    about: (kind, user, details) => mailAbout(state, kind, user, causeOf(), details),
    toOwner: (kind, emailKey, details) => mailToOwner(kind, emailKey, causeOf(), details),
    own: (kind, userId, data) => [ownMail(kind, userId, data, { ...causeOf(), realm: ownRealm(realm) })],
    post: (mails) => post(mails),
    onRequest: (client, session) =>
      officeFor(() => {
        const { language, details, network } = client
        const name = session ? givenName(session.replaceAll('"', "'")) : null
        const browser = inOneLine([name && `"${name}"`, details.browser]) || null
        const device = [browser, details.system, network]
        return { realm, language: language.tag, by: 'request', device }
      }),
    byStaff: () => officeFor(() => ({ ...causeOf(), by: 'staff', device: null })),
  })

  return {
    ...officeFor(() => ({ realm, language: deps.language.tag, by: 'host', device: null })),

    carryInvitations: (store, areStored) => ({
      ...store,
      create: (invitation, messages = []) =>
        along(messages, (own) => store.create(invitation, own), areStored),
      update: (id, changes, version, messages = []) =>
        along(messages, (own) => store.update(id, changes, version, own), areStored),
      delete: (id, version, messages = []) =>
        along(messages, (own) => store.delete(id, version, own), areStored),
    }),

    carry({ updateWithSessions, ...users }) {
      return {
        ...users,
        create: (user, messages = [], wanted) =>
          along(
            messages,
            (own) => users.create(user, own, wanted),
            storesMails,
            (posted, { id }) => postAll(posted.map((message) => ({ ...message, userId: id }))),
          ),
        update: (id, changes, expectedVersion, messages = []) =>
          along(messages, (own) => users.update(id, changes, expectedVersion, own)),
        delete: (id, messages = [], successor, expectedVersion, deleteStored = users.delete) =>
          along(messages, (own) => deleteStored(id, own, successor, expectedVersion)),
        updateWithSessions:
          updateWithSessions &&
          ((id, changes, expectedVersion, messages, sessions) =>
            along(messages, (own) => updateWithSessions(id, changes, expectedVersion, own, sessions))),
      }
    },
  }
}
