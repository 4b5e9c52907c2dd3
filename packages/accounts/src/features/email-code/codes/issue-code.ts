import type { MailFacts } from '../../../emails/mail-facts.js'
import { loginCodeKind } from '../../../logins/pending-login.js'
import { changeUser } from '../../../users/change.js'
import { askedAt } from './asked-code.js'
import { codeFor, codeLifetime, codeOf, codeTries, liveCode, stateOf, withCode } from './login-code.js'

/**
 * Has a code count from now on, when its mail goes out, and ends an older one. A mail that is sent again brings the same
 * code, with the time and the tries that are left.
 */
export const issueCode: NonNullable<MailFacts['facts']> = async (
  { codeSeed: seed },
  { user: { id, emailKey } },
  { users, options },
) => {
  const user = await users.findById(id)
  if (!seed || emailKey === null || user === null) return null
  const changed = await changeUser(users, user, (current) => {
    if (!current.isActive || current.emailKey !== emailKey) return null
    const known = codeOf(current)
    if (known?.id === seed) return liveCode(current) === null ? null : {}
    if (known !== undefined && askedAt(known.id) > askedAt(seed)) return null
    return {
      credentials: withCode(current.credentials, {
        ...{ kind: loginCodeKind, id: seed, state: stateOf(current) },
        ...{ expiresAt: Date.now() + codeLifetime, left: codeTries },
      }),
    }
  })
  const code = changed && liveCode(changed)
  if (changed === null || code === null) return null
  const minutes = Math.max(1, Math.round((code.expiresAt - Date.now()) / 60_000))
  return { user: changed, facts: { code: codeFor(options, seed, emailKey), minutes } }
}
