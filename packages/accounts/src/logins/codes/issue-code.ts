import type { MailFacts } from '../../emails/mail-facts.js'
import { emailKeyOf } from '../../emails/pending-mail.js'
import { changeBy } from '../../sessions/user-updates.js'
import type { CodeKind } from '../awaiting-factor.js'
import {
  askedAt,
  codeFor,
  codeLifetime,
  codesOf,
  codeTries,
  liveCode,
  stateOf,
  withCode,
} from './mailed-code.js'

/**
 * Makes a code valid when its email is sent; others of its kind stay valid. Sending the email again repeats
 * the code, with the remaining time and attempts.
 */
export const issueCode =
  (kind: CodeKind): NonNullable<MailFacts['facts']> =>
  async ({ codeSeed: seed }, { user: { id, emailKey }, address }, { users, options }) => {
    const owner = await users.findById(id)
    // A code for an address that the account no longer has proves nothing about it.
    if (!seed || emailKey === null || owner === null || emailKeyOf(address) !== emailKey) return null
    // Mails are made with the plain store: a code ends no session.
    const change = changeBy({
      findById: users.findById,
      update: ({ id, version }, changes) => users.update(id, changes, version),
    })
    const changed = await change(owner, (current) => {
      if (!current.isActive || current.emailKey !== emailKey) return null
      const codes = codesOf(current, kind)
      if (codes.some(({ id }) => id === seed)) return liveCode(current, kind, seed) === null ? null : {}
      // Requested before another one was used.
      if (codes.some(({ usedAt }) => (usedAt ?? 0) > askedAt(seed))) return null
      const credentials = withCode(current.credentials, {
        kind,
        id: seed,
        state: stateOf(current),
        usedAt: null,
        expiresAt: Date.now() + codeLifetime,
        left: codeTries,
      })
      // Older than all that are kept, so it may have been one of them.
      return codesOf({ credentials }, kind).some(({ id }) => id === seed) ? { credentials } : null
    })
    const code = changed && liveCode(changed, kind, seed)
    if (changed === null || code === null) return null
    const minutes = Math.max(1, Math.round((code.expiresAt - Date.now()) / 60_000))
    // Its link is bound to this code only.
    const user = { ...changed, credentials: [code] }
    return { user, facts: { code: codeFor(options, { kind, seed, emailKey }), minutes } }
  }
