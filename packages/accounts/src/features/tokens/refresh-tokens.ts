import { logTrouble } from '../../adapters/log-trouble.js'
import type { Deps } from '../../deps.js'
import { mailedName } from '../../emails/harmless-text.js'
import { AccountsError } from '../../errors.js'
import type { Client } from '../../sessions/client.js'
import type { Refreshes } from '../../sessions/refresh.js'

/**
 * Delivers new tokens for a refresh token. If it was stolen, the session has ended, and its owner is told.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if the session is over or it isn't valid; ACCOUNTS_UNAVAILABLE, also if the
 * session has ended and its owner couldn't be told; ACCOUNTS_THROTTLED
 */
export async function refreshTokens(
  { throttle, postOffice, events }: Pick<Deps, 'throttle' | 'postOffice' | 'events'>,
  refreshes: Refreshes,
  client: Client,
  token: string,
): Promise<void> {
  const done = await refreshes.refresh(client, token, {
    spend: (sessionId) => throttle.spend('refreshTokens', sessionId),
    async tellOwner(user, { name }) {
      const label = name && mailedName(user, name)
      await events.post(events.about('session.tokens_reused', user, {}))
      await postOffice.post(postOffice.about('token-reused', user, { label }))
    },
  })
  client.note({ user: done.user })
  if (done.outcome === 'refreshed') return
  if (done.outcome === 'reused') {
    client.note({ reason: 'TOKEN_REUSED' })
    if (done.untold !== null) {
      const { cause } = done.untold
      logTrouble(
        client.log,
        cause,
        'accounts: a session with a copied refresh token was ended without the email to its owner',
      )
      throw cause
    }
  }
  throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}
