import type { Language } from '../languages/languages.js'
import type { MailKind } from '../seams/mailer.js'
import type { MailQueue, PendingMail } from '../seams/outbox.js'
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
export interface Carrier {
  /** A user store that stores emails with a change, whether or not the underlying store can. */
  carry<Users extends Carried>(users: Users): Users
}

type Carried = Pick<UserStore, 'create' | 'update'> & { updateWithSessions?: UpdateWithSessions | undefined }

/**
 * @param deps.realm the mount that this office belongs to: others have their own links and theme
 * @param deps.isLasting whether the outbox is the user store's, which stores emails with changes itself
 */
export function createPostOffice(deps: {
  outbox: Pick<MailQueue, 'add'>
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf'>
  postman: Pick<Postman, 'wake' | 'refusal'>
  realm: string
  isLasting: boolean
  language: Language
  onFailure(failure: MailFailure): void
}): PostOffice & Carrier {
  const { outbox, mails: table, links, postman, realm, isLasting, onFailure } = deps
  const state = {
    stateOf: links.stateOf,
    linkOf: (kind: MailKind) => mailFacts(table, kind).link,
  }

  async function post(mails: readonly PendingMail[], isAboutChange = false): Promise<void> {
    if (mails.length === 0) return
    const error = mails.every(({ kind }) => mailFacts(table, kind).isSpentBefore)
      ? null
      : await postman.refusal(isAboutChange)
    if (error !== null) {
      for (const { kind, userId } of mails) onFailure({ kind, userId, error })
      return
    }
    await outbox.add(mails)
    postman.wake()
  }

  /** Makes a change. Its emails are stored with it, or else posted after it. `null` if nothing was changed. */
  async function along<Changed>(
    mails: readonly PendingMail[],
    change: (mails: readonly PendingMail[]) => Promise<Changed | null>,
  ): Promise<Changed | null> {
    const changed = await change(isLasting ? mails : [])
    if (changed === null) return null
    if (!isLasting) await post(mails, true)
    else if (mails.length > 0) postman.wake()
    return changed
  }

  const inRequestLanguage = (language: Language): PostOffice => ({
    about: (kind, user, details) => mailAbout(state, kind, user, { realm, language: language.tag }, details),
    toOwner: (kind, emailKey, details) => [
      mailToOwner(kind, emailKey, { realm, language: language.tag }, details),
    ],
    post: (mails) => post(mails),
    inRequestLanguage,
  })

  return {
    ...inRequestLanguage(deps.language),

    carry<Users extends Carried>(users: Users): Users {
      const { updateWithSessions } = users
      return {
        ...users,
        async create(user, mails = []) {
          if (isLasting) {
            const created = await users.create(user, mails)
            if (mails.length > 0) postman.wake()
            return created
          }
          const created = await users.create(user)
          await post(mails.map((mail) => ({ ...mail, userId: created.id })))
          return created
        },
        update: (id, changes, expectedVersion, mails = []) =>
          along(mails, (own) => users.update(id, changes, expectedVersion, own)),
        ...(updateWithSessions &&
          ({
            updateWithSessions: (id, changes, expectedVersion, mails, sessions) =>
              along(mails, (own) => updateWithSessions(id, changes, expectedVersion, own, sessions)),
          } satisfies Partial<Carried>)),
      }
    },
  }
}
