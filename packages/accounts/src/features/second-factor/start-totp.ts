import type { Deps } from '../../deps.js'
import { factorState } from '../../logins/pending-login.js'
import { seal } from '../../tokens/seal.js'
import type { User } from '../../user.js'
import { findOwner, type Setup } from './factors/setup.js'
import { newTotp } from './factors/totp.js'

/** How long an app that is being set up may take to show its first code, in milliseconds. */
const enrollmentLifetime = 600_000

/**
 * Begins to set an authenticator app up. Until its first code is here, nothing is kept: the client carries it, sealed.
 * @param session what names the session that begins it
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED
 */
export async function startTotp(
  { users }: Pick<Deps, 'users'>,
  { keys, issuer }: Setup,
  user: User,
  session: string,
): Promise<{ secret: string; uri: string; qr_svg: string; token: string }> {
  const found = await findOwner(users, user)
  const { secret, uri, qrSvg } = await newTotp(issuer, user.username ?? user.email ?? issuer)
  const facts = [user.id, session, factorState(found), secret, Date.now() + enrollmentLifetime]
  return { secret, uri, qr_svg: qrSvg, token: seal(keys[0], JSON.stringify(facts)) }
}
