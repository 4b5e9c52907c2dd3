import type { Client } from 'fastify-accounts/features'
import { markBrowser } from './browser.js'
import { creationOptions } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { type Holder, withPasskey } from './passkey.js'
import { newPasskey, type Registration } from './register.js'

/**
 * The options for a browser to create a passkey of an account that is still to be made.
 * @param occasion what it is for: a passkey made for another is invalid
 */
export function firstOptions(
  deps: Pick<PasskeyDeps, 'challenges' | 'settings' | 'options' | 'browser'>,
  client: Client,
  occasion: string,
  username: string,
): ReturnType<typeof creationOptions> {
  const { challenges, settings, options } = deps
  const { challenge, handle } = challenges.make('sign-up', occasion, markBrowser(deps, client))
  const request = { challenge, handle, use: 'login', username, passkeys: [] } as const
  return creationOptions(settings, options.brand.name, request)
}

/** @throws AccountsError ACCOUNTS_INVALID_PASSKEY */
export async function firstPasskey(
  deps: Parameters<typeof newPasskey>[0],
  registration: Registration,
  occasion: string,
): Promise<Holder> {
  const { passkey } = await newPasskey(deps, registration, ['sign-up'], occasion)
  return withPasskey({ credentials: [], identityKeys: [] }, passkey)
}
