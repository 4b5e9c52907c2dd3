import type { Enquirer } from '@fastify-accounts/testing'
import { create, get, otherKey } from './authenticator.js'
import { origin } from './service.js'

/** Everything that somebody can ask with the passkey of a sign-up. */
export const enquireWithPasskey =
  (isNamed: boolean) =>
  async ({ email, username, ask }: Enquirer): Promise<void> => {
    const account = { email, ...(isNamed && { username }) }
    const browser = new Map<string, string>()
    const elsewhere = new Map<string, string>()
    const asked = await ask('passkey: options', '/signup/passkey/options/', account, browser)
    const { passkey, response } = create(JSON.parse(asked.body), origin)
    await ask('passkey: sign up', '/signup/passkey/', { ...account, response }, browser)
    await ask('passkey: the same again', '/signup/passkey/', { ...account, response }, browser)
    for (const [where, at] of [
      ['elsewhere', elsewhere],
      ['in the same browser', browser],
    ] as const) {
      const options = await ask(`passkey: login options, ${where}`, '/login/passkey/options/', {}, at)
      const login = { response: get(passkey, JSON.parse(options.body)) }
      await ask(`passkey: log in, ${where}`, '/login/passkey/', login, at)
      await ask(`passkey: log in again, ${where}`, '/login/passkey/', login, at)
      const other = await ask(`passkey: login options again, ${where}`, '/login/passkey/options/', {}, at)
      const forged = { response: get(passkey, JSON.parse(other.body), { key: otherKey() }) }
      await ask(`passkey: log in with a wrong signature, ${where}`, '/login/passkey/', forged, at)
    }
    // The same credential for another account.
    const another = { email: `other-${email}`, ...(isNamed && { username: `${username}2` }) }
    const again = await ask(
      'passkey: options for another account',
      '/signup/passkey/options/',
      another,
      elsewhere,
    )
    const copied = create(JSON.parse(again.body), origin, { id: passkey.id })
    const body = { ...another, response: copied.response }
    await ask('passkey: sign up with the same passkey', '/signup/passkey/', body, elsewhere)
    if (!isNamed) return
    await ask(
      'passkey: options for the same name',
      '/signup/passkey/options/',
      { ...another, username },
      elsewhere,
    )
  }
