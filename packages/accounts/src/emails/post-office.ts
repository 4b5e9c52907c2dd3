/*
 * Begin here. The files in the order in which they work on an email:
 *
 * 1. Post: this file is what features see. pending-mail.ts makes the email that waits, mail-facts.ts has the properties
 *    of its kind, backlog.ts tells whether there is room. It waits in an outbox, see seams/outbox.ts.
 * 2. Claim: postman.ts joins all that follows. poll-times.ts says when to look, claim-mails.ts takes what is due and
 *    renews its claims, outbox-clock.ts is the clock they go by.
 * 3. Decide: handle-mail.ts takes one claimed email through the rest. addressee.ts finds who gets it, mail-budgets.ts
 *    whether now, later or never.
 * 4. Compose and send: delivery.ts, with links from mail-links.ts and the text from compose.ts, layout.ts and
 *    harmless-text.ts. removal-note.ts is what a notice tells about removed credentials.
 * 5. Finish: handle-mail.ts deletes what was sent. retries.ts puts back what failed, and tells a server that refuses
 *    everybody from a wrong address; retry-policy.ts has all that differs between outboxes.
 */

import type { Language } from '../languages/languages.js'
import type { MailKind } from '../seams/mailer.js'
import type { MessageQueue, PendingMail } from '../seams/outbox.js'
import type { UpdateWithSessions } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import type { EmailLinks } from '../tokens/email-link.js'
import type { User } from '../user.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { type MailDetails, mailAbout, mailToOwner } from './pending-mail.js'
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
  /** An email to whoever has an address at delivery. */
  toOwner(kind: MailKind, emailKey: string, details?: MailDetails): readonly PendingMail[]
  /**
   * Stores emails that belong to no change of an account. If too many wait, they are dropped, except those whose budget
   * is spent already, which limits them.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  post(mails: readonly PendingMail[]): Promise<void>
  /** The same office, for emails caused by a request in this language. */
  inRequestLanguage(language: Language): PostOffice
}

/** For the plugin only. */
interface Carrier {
  /** A user store that stores emails with a change, whether or not the underlying store can. */
  carry<Users extends Carried>(users: Users): Users
}

type Carried = Pick<UserStore, 'create' | 'update'> & { updateWithSessions?: UpdateWithSessions | undefined }

/**
 * @param deps.realm the mount that this office belongs to: others have their own links and theme
 * @param deps.storesMails whether the outbox is the user store's, which stores emails with changes itself
 */
export function createPostOffice(deps: {
  outbox: Pick<MessageQueue<PendingMail>, 'add'>
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf'>
  postman: Pick<Postman, 'wake' | 'refusal'>
  realm: string
  storesMails: boolean
  language: Language
  onFailure(failure: MailFailure): void
}): PostOffice & Carrier {
  const { outbox, mails: table, links, postman, realm, storesMails, onFailure } = deps
  const state = {
    stateOf: links.stateOf,
    linkOf: (kind: MailKind) => mailFacts(table, kind).link,
  }

  async function post(mails: readonly PendingMail[], isAboutChange = false): Promise<void> {
    if (mails.length === 0) return
    const error = mails.every(({ kind }) => mailFacts(table, kind).isSpentBefore)
      ? null
      : await postman.refusal(mails.length, isAboutChange)
    if (error !== null) {
      for (const { kind, userId } of mails) onFailure({ kind, userId, error })
      return
    }
    await outbox.add(mails)
    postman.wake()
  }

  /** Makes a change. Its emails are stored with it, or else posted after it. `null` if nothing was changed. */
  async function along<Changed extends object | null>(
    mails: readonly PendingMail[],
    change: (mails: readonly PendingMail[]) => Promise<Changed>,
    postAfter = (_changed: NonNullable<Changed>): Promise<void> => post(mails, true),
  ): Promise<Changed> {
    const changed = await change(storesMails ? mails : [])
    if (changed === null) return changed
    if (!storesMails) await postAfter(changed)
    else if (mails.length > 0) postman.wake()
    return changed
  }

  const inRequestLanguage = (language: Language): PostOffice => ({
    about: (kind, user, details) => mailAbout(state, kind, user, { realm, language: language.tag }, details),
    toOwner: (kind, emailKey, details) =>
      mailToOwner(kind, emailKey, { realm, language: language.tag }, details),
    post: (mails) => post(mails),
    inRequestLanguage,
  })

  return {
    ...inRequestLanguage(deps.language),

    carry<Users extends Carried>(users: Users): Users {
      const { updateWithSessions } = users
      return {
        ...users,
        create: (user, mails: readonly PendingMail[] = []) =>
          along(
            mails,
            (own) => users.create(user, own),
            ({ id }) => post(mails.map((mail) => ({ ...mail, userId: id }))),
          ),
        update: (id, changes, expectedVersion, mails: readonly PendingMail[] = []) =>
          along(mails, (own) => users.update(id, changes, expectedVersion, own)),
        ...(updateWithSessions &&
          ({
            updateWithSessions: (id, changes, expectedVersion, mails, sessions) =>
              along(mails as readonly PendingMail[], (own) =>
                updateWithSessions(id, changes, expectedVersion, own, sessions),
              ),
          } satisfies Partial<Carried>)),
      }
    },
  }
}
