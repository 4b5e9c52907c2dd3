import { changeUser } from '../../../adapters/change-user.js'
import type { MailFacts } from '../../../emails/mail-facts.js'
import { addressKey } from '../../../emails/pending-mail.js'
import type { CodeKind } from '../../../logins/pending-login.js'
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
 * Has a code count from now on, when its mail goes out, beside others of its kind. A mail that is sent again brings the
 * same code, with the time and the attempts that are left.
 */
export const issueCode =
  (kind: CodeKind): NonNullable<MailFacts['facts']> =>
  async ({ codeSeed: seed }, { user: { id, emailKey }, address }, { users, options }) => {
    const owner = await users.findById(id)
    // A code for another address than the one that the account has now proves nothing about it.
    if (!seed || emailKey === null || owner === null || addressKey(address) !== emailKey) return null
    const changed = await changeUser(users, owner, (current) => {
      if (!current.isActive || current.emailKey !== emailKey) return null
      const known = codesOf(current, kind)
      if (known.some(({ id }) => id === seed)) return liveCode(current, kind, seed) === null ? null : {}
      // Asked for before another one was used.
      if (known.some(({ usedAt }) => (usedAt ?? 0) > askedAt(seed))) return null
      const credentials = withCode(current.credentials, {
        ...{ kind, id: seed, state: stateOf(current), usedAt: null },
        ...{ expiresAt: Date.now() + codeLifetime, left: codeTries },
      })
      // Older than all that are kept: it may have been one of them.
      return codesOf({ credentials }, kind).some(({ id }) => id === seed) ? { credentials } : null
    })
    const code = changed && liveCode(changed, kind, seed)
    if (changed === null || code === null) return null
    const minutes = Math.max(1, Math.round((code.expiresAt - Date.now()) / 60_000))
    // Its link is bound to this code alone.
    const user = { ...changed, credentials: [code] }
    return { user, facts: { code: codeFor(options, { kind, seed, emailKey }), minutes } }
  }
