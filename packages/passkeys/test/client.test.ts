import { createAccountsClient, type StoredTokens } from '@fastify-accounts/client'
import { createPasskeysClient } from '@fastify-accounts/client/passkeys'
import { passkeys } from '@fastify-accounts/passkeys'
import { fetchWithCookies } from '@fastify-accounts/test-support/client'
import { create, get, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin, passkeyApp } from '@fastify-accounts/test-support/passkeys/service'
import { tokens } from 'fastify-accounts'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

/** The options a page passes to its browser, as far as the client uses them. */
interface Asked {
  publicKey: { challenge: ArrayBuffer; rp: { id: string }; user: { id: ArrayBuffer } }
  mediation?: string
  signal: AbortSignal
}

/** A browser with an authenticator that approves immediately, unless `respond` replaces it. */
function stubBrowser(response?: (asked: Asked) => Promise<never>) {
  const passkeys: SoftPasskey[] = []
  const mediations: (string | undefined)[] = []
  const text = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
  const bytes = (given: string) => Uint8Array.from(Buffer.from(given, 'base64url')).buffer

  /** As the browser returns it to the page: bytes instead of base64url. */
  const shown = (made: { id: string; response: object }) => ({
    ...made,
    rawId: bytes(made.id),
    response: Object.fromEntries(
      Object.entries(made.response).map(([name, value]) =>
        typeof value === 'string' ? [name, bytes(value)] : [name, value],
      ),
    ),
    getClientExtensionResults: () => ({}),
  })
  const credentials = {
    async create(asked: Asked) {
      await response?.(asked)
      const { challenge, rp, user } = asked.publicKey
      const made = create({ challenge: text(challenge), rp, user: { id: text(user.id) } }, origin)
      passkeys.push(made.passkey)
      return shown(made.response)
    },
    async get(asked: Asked) {
      await response?.(asked)
      mediations.push(asked.mediation)
      const [passkey] = passkeys
      return passkey ? shown(get(passkey, { challenge: text(asked.publicKey.challenge) })) : null
    },
  }
  const signalUnknownCredential = vi.fn(async (_unknown: { rpId: string; credentialId: string }) => {})
  const kind = Object.assign(class {}, {
    isConditionalMediationAvailable: async () => true,
    signalUnknownCredential,
  })
  vi.stubGlobal('PublicKeyCredential', kind)
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('document', { querySelectorAll: () => [{}] })
  return { passkeys, mediations, signalUnknownCredential }
}

async function start(options: Parameters<typeof passkeyApp>[0] = {}, paths = {}) {
  const service = await passkeyApp(options)
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => service.app.close())
  const fetch = fetchWithCookies()
  const client = createPasskeysClient({ baseUrl, fetch, paths })
  const logOut = () => fetch(`${baseUrl}/logout/`, { method: 'POST' })
  const who = async () => ((await (await fetch(`${baseUrl}/me/`)).json()) as { username?: string }).username
  return { service, client, logOut, who }
}

describe('a client for passkeys', () => {
  it('covers everything from sign-up to removing a passkey', async () => {
    const { passkeys, signalUnknownCredential } = stubBrowser()
    const { client, logOut, who } = await start()
    expect(await client.signUpWithPasskey({ username: 'ada' })).toMatchObject({
      status: 201,
      data: { username: 'ada' },
    })
    await logOut()
    expect(await who()).toBeUndefined()
    expect(await client.logInWithPasskey({ remember: true })).toMatchObject({ data: { username: 'ada' } })
    expect(await who()).toBe('ada')

    const added = await client.addPasskey({ name: 'Key ring' })
    expect(added).toMatchObject({ status: 201, data: { name: 'Key ring' } })
    expect(await client.addPasskey()).toMatchObject({ data: { name: expect.stringContaining('Passkey') } })
    const listed = await client.listPasskeys()
    const all = listed.ok ? listed.data.results : []
    expect(all.map(({ credential_id }) => credential_id)).toEqual(passkeys.map(({ id }) => id))
    const [first, second] = all
    if (first === undefined || second === undefined) throw new Error('there are three')
    expect(await client.renamePasskey(first.id, 'Phone')).toMatchObject({ data: { name: 'Phone' } })
    expect(await client.removePasskey(second)).toMatchObject({ status: 204 })
    expect(signalUnknownCredential.mock.calls).toEqual([
      [{ rpId: 'localhost', credentialId: second.credential_id }],
    ])
    expect(await client.removePasskey(second)).toMatchObject({ error: { code: 'ACCOUNTS_NOT_FOUND' } })
    expect(signalUnknownCredential).toHaveBeenCalledTimes(1)
  })

  it('gives an app tokens, which it shares with the other clients of the service', async () => {
    stubBrowser()
    const service = await passkeyApp({ features: [passkeys(), tokens()] })
    const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => service.app.close())
    let kept: StoredTokens | null = null
    const options = {
      baseUrl,
      tokens: {
        load: () => kept,
        save(stored: StoredTokens | null) {
          kept = stored
        },
      },
    }
    const [accounts, client] = [createAccountsClient(options), createPasskeysClient(options)]
    const user = await client.signUpWithPasskey({ username: 'ada' })
    expect(user).toMatchObject({ status: 201, data: { username: 'ada' } })
    expect(user.ok && user.data).not.toHaveProperty('tokens')
    expect(await accounts.showMe()).toMatchObject({ data: { username: 'ada' } })
    expect(await client.addPasskey()).toMatchObject({ status: 201 })
    expect(await accounts.logOut()).toMatchObject({ status: 204 })
    expect(await client.listPasskeys()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    expect(await client.logInWithPasskey()).toMatchObject({ status: 200 })
    expect(await client.confirm()).toEqual({ ok: true, status: 204, data: undefined })
    expect(await accounts.showMe()).toMatchObject({ ok: true })
  })

  it('waits for autofill', async () => {
    const { mediations } = stubBrowser()
    const { client, logOut } = await start()
    await client.signUpWithPasskey({ username: 'ada' })
    await logOut()
    expect(await client.logInWithPasskey({ autofill: true })).toMatchObject({ status: 200 })
    expect(await client.logInWithPasskey()).toMatchObject({ status: 200 })
    expect(mediations).toEqual(['conditional', undefined])
  })

  it('reports an error of the service before asking the browser', async () => {
    const { passkeys } = stubBrowser()
    const { client } = await start()
    expect(await client.addPasskey()).toMatchObject({ error: { code: 'ACCOUNTS_LOGIN_REQUIRED' } })
    expect(await client.signUpWithPasskey({ username: '' })).toMatchObject({
      error: { code: 'ACCOUNTS_INVALID_INPUT' },
    })
    await client.signUpWithPasskey({ username: 'ada' })
    expect(await client.signUpWithPasskey({ username: 'Ada' })).toMatchObject({
      error: { code: 'ACCOUNTS_USERNAME_TAKEN' },
    })
    expect(passkeys).toHaveLength(1)
  })

  it('distinguishes a user who cancels from a caller who aborts', async () => {
    stubBrowser(async () => Promise.reject(new DOMException('no', 'NotAllowedError')))
    const { client, who } = await start()
    expect(await client.signUpWithPasskey({ username: 'ada' })).toMatchObject({
      ok: false,
      error: { code: 'PASSKEY_FAILED', cause: { name: 'NotAllowedError' } },
    })
    expect(await client.logInWithPasskey()).toMatchObject({ error: { code: 'PASSKEY_FAILED' } })

    const caller = new AbortController()
    stubBrowser(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          caller.abort(new Error('the page is left'))
        }),
    )
    await expect(client.logInWithPasskey({}, { signal: caller.signal })).rejects.toThrow('the page is left')
    expect(await who()).toBeUndefined()
  })

  it("removes a passkey even if the browser can't forget it", async () => {
    const browser = stubBrowser()
    const { client } = await start()
    await client.signUpWithPasskey({ username: 'ada' })
    await client.addPasskey()
    await client.addPasskey()
    const listed = await client.listPasskeys()
    const [first, second] = listed.ok ? listed.data.results : []
    if (first === undefined || second === undefined) throw new Error('there are three')
    browser.signalUnknownCredential.mockRejectedValueOnce(new Error('another site'))
    expect(await client.removePasskey(first)).toMatchObject({ status: 204 })
    vi.stubGlobal('PublicKeyCredential', class {})
    expect(await client.removePasskey(second)).toMatchObject({ status: 204 })
  })

  it('finds routes at custom paths', async () => {
    stubBrowser()
    const paths = { 'signup-passkey': '/join/', 'signup-passkey-options': '/join/options/' }
    const { client } = await start({ paths }, paths)
    expect(await client.signUpWithPasskey({ username: 'ada' })).toMatchObject({ status: 201 })
  })
})
