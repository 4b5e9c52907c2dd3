import type { PostOffice } from '../emails/post-office.js'
import type { PendingMail } from '../seams/outbox.js'
import type { User } from '../user.js'

/** Tells the owner that the account is gone, at an address that they have proven: any other may be a stranger's. */
export function deletionMails(postOffice: Pick<PostOffice, 'about'>, user: User): readonly PendingMail[] {
  const { username, createdAt, fields, isVerified } = user
  if (!isVerified) return []
  const locale = typeof fields.locale === 'string' ? fields.locale : null
  const former = { username, createdAt: createdAt.toISOString(), locale }
  return postOffice.about('account-deleted', user, { former })
}
