import type { Deps } from '../deps.js'
import { fieldError, invalidInput } from '../errors.js'
import { parseTypedEmail } from '../identifiers/email.js'
import type { Client } from '../sessions/client.js'
import type { CodeRequests } from './codes/code-requests.js'
import { newSeed } from './codes/mailed-code.js'
import { type DeviceDeps, knownDevice } from './known-device.js'
import { isOwnBrowser, type OwnBrowserDeps } from './own-browser.js'

/**
 * Emails what lets somebody in to the user with this address, if there is one. Nothing that the client gets depends on it, and
 * nothing takes longer.
 * @param requests where the browser keeps the request of a code; `null`: the email has none
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is no address
 */
export async function requestMail(
  deps: Pick<Deps, 'users' | 'postOffice'> & OwnBrowserDeps & DeviceDeps,
  client: Client,
  kind: 'login-code' | 'reset-password',
  { email }: { email: string },
  requests: CodeRequests | null,
): Promise<void> {
  const { users, postOffice } = deps
  const address = parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const { emailKey } = address
  const codeSeed = requests === null ? null : newSeed()
  const user = await users.findByEmail(emailKey)
  // Sent to the stored address, never to the typed one.
  const details = { codeSeed, isFromOwnBrowser: isOwnBrowser(deps, client, user) }
  await postOffice.post(postOffice.toOwner(kind, emailKey, details))
  knownDevice(deps, client, user, 'password')
  client.note(user === null ? { user, reason: 'ACCOUNTS_NOT_FOUND' } : { user })
  if (codeSeed !== null) requests?.add(client, emailKey, codeSeed)
}
