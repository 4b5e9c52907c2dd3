import type { Deps } from '../../deps.js'
import { factorState } from '../../logins/awaiting-factor.js'
import { seal } from '../../tokens/seal.js'
import type { User } from '../../user.js'
import { findEnroller, type Setup, type StartedSetup } from './factors/setup.js'
import { newTotp } from './factors/totp.js'

/** How long setting up an app may take until its first code, in milliseconds. */
const enrollmentLifetime = 600_000

/**
 * Starts the setup of an authenticator app. Nothing is stored before its first code: the client carries it,
 * sealed.
 * @param session names the session that starts it
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED
 */
export async function startTotp(
  deps: Pick<Deps, 'users'>,
  { keys, issuer }: Setup,
  user: User,
  session: string,
): Promise<{ secret: string; uri: string; qr_svg: string; token: string }> {
  const found = await findEnroller(deps, user)
  const { secret, uri, qrSvg } = await newTotp(issuer, user.username ?? user.email ?? issuer)
  const end = Date.now() + enrollmentLifetime
  const facts: StartedSetup = [user.id, session, factorState(found), secret, end]
  return { secret, uri, qr_svg: qrSvg, token: seal(keys[0], JSON.stringify(facts)) }
}
