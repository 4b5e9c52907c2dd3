import type { MailFacts } from '../../../emails/mail-facts.js'
import { addressKey } from '../../../emails/pending-mail.js'
import type { CodeKind } from '../../../logins/pending-login.js'
import { changeUser } from '../../../users/change.js'
import {
  askedAt,
  codeFor,
  codeLifetime,
  codeOf,
  codeTries,
  liveCode,
  stateOf,
  withCode,
} from './mailed-code.js'

/**
 * Has a code count from now on, when its mail goes out, and ends an older one of its kind. A mail that is sent again
 * brings the same code, with the time and the tries that are left.
 */
export const issueCode =
  (kind: CodeKind): NonNullable<MailFacts['facts']> =>
  async ({ codeSeed: seed }, { user: { id, emailKey }, address }, { users, options }) => {
    const user = await users.findById(id)
    // A code for another address than the one that the account has now proves nothing about it.
    if (!seed || emailKey === null || user === null || addressKey(address) !== emailKey) return null
    const changed = await changeUser(users, user, (current) => {
      if (!current.isActive || current.emailKey !== emailKey) return null
      const known = codeOf(current, kind)
      if (known?.id === seed) return liveCode(current, kind) === null ? null : {}
      if (known !== undefined && askedAt(known.id) > askedAt(seed)) return null
      return {
        credentials: withCode(current.credentials, {
          ...{ kind, id: seed, state: stateOf(current) },
          ...{ expiresAt: Date.now() + codeLifetime, left: codeTries },
        }),
      }
    })
    const code = changed && liveCode(changed, kind)
    if (changed === null || code === null) return null
    const minutes = Math.max(1, Math.round((code.expiresAt - Date.now()) / 60_000))
    return { user: changed, facts: { code: codeFor(options, { kind, seed, emailKey }), minutes } }
  }
