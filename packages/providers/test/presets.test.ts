import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import {
  type AppleOptions,
  apple,
  github,
  google,
  linkedin,
  type MicrosoftOptions,
  microsoft,
  type Provider,
  providers,
} from '@fastify-accounts/providers'
import { type Host, linkPath, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import { createMemoryUserStore } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startVendor, type Vendor } from './support/vendor.js'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const credentials = { clientId: 'app', clientSecret: 'secret' }
const refused = [400, 'ACCOUNTS_PROVIDER_REFUSED']

const app = (
  provider: Provider,
  options: Parameters<typeof testApp>[0] = {},
  host: Host = {},
): Promise<TestApp> =>
  testApp({ users: { variant: 'both' }, features: [providers([provider])], ...options }, host)

/** A browser that goes to the provider and returns. */
function browserAt(service: TestApp, vendor: Vendor, name: string) {
  const browser = visitor(service)
  const path = `/login/with/${name}/`
  return {
    ...browser,
    start: () => browser.start({}, path),
    comeBack: (parameters: URLSearchParams) => browser.send('GET', `${path}callback/?${parameters}`),
    async logInWith(claims?: Record<string, unknown>) {
      const parameters = vendor.logIn(await browser.start({}, path), claims)
      return browser.send('GET', `${path}callback/?${parameters}`)
    },
    me: async () => (await browser.send('GET', '/me/')).json(),
  }
}

const keysOf = async (service: TestApp, id: string) => (await service.users.findById(id))?.identityKeys

/** An account with a password and a verified address. */
async function alice(service: TestApp, email: string): Promise<string> {
  const { id } = await signUp(service, 'alice', { email })
  await service.app.accounts.updateUser(id, { isVerified: true })
  return id
}

describe('Google', () => {
  // https://developers.google.com/identity/openid-connect/openid-connect, «Discovery document» and «An ID token's payload».
  const document = {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    device_authorization_endpoint: 'https://oauth2.googleapis.com/device/code',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    response_types_supported: ['code', 'token', 'id_token', 'code token', 'code id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
  }
  const ada = {
    azp: 'app',
    sub: '110169484474386276334',
    email: 'ada.lovelace@gmail.com',
    email_verified: true,
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    picture: 'https://lh3.googleusercontent.com/a/photo',
  }
  const start = () => startVendor('https://accounts.google.com/.well-known/openid-configuration', document)

  it('signs people up with a gmail.com address as verified, and logs them in again', async () => {
    const vendor = start()
    const service = await app(google({ ...credentials, parameters: { prompt: 'select_account' } }))
    const browser = browserAt(service, vendor, 'google')
    const { origin, pathname, searchParams } = new URL(await browser.start())
    expect(`${origin}${pathname}`).toBe(document.authorization_endpoint)
    expect(searchParams.get('scope')).toBe('openid email profile')
    expect(searchParams.get('prompt')).toBe('select_account')
    expect((await browser.logInWith(ada)).statusCode).toBe(303)
    const me = await browser.me()
    expect(me).toMatchObject({ username: 'Ada-Lovelace', email: ada.email, is_verified: true })
    expect(await keysOf(service, me.id)).toEqual([`oidc:https://accounts.google.com|${ada.sub}`])
    const again = browserAt(service, vendor, 'google')
    await again.logInWith({ ...ada, email: 'other@gmail.com' })
    expect((await again.me()).id).toBe(me.id)
  })

  // https://developers.google.com/identity/gsi/web/guides/verify-google-id-token, where Google is authoritative.
  it.each([
    ['at gmail.com', 'ada@gmail.com', {}, true],
    ['at the domain of its Workspace', 'ada@example.org', { hd: 'example.org' }, true],
    ['at the domain of its Workspace in capitals', 'ada@example.org', { hd: 'Example.org' }, true],
    ['of their own, without a Workspace', 'ada@example.org', {}, false],
    ['at a domain other than its Workspace', 'ada@example.org', { hd: 'example.com' }, false],
    ['at a subdomain of its Workspace', 'ada@mail.example.org', { hd: 'example.org' }, false],
    ['at a domain that ends like gmail.com', 'ada@notgmail.com', {}, false],
    ['at gmail.com, not verified', 'ada@gmail.com', { email_verified: false }, false],
    ['with an invalid Workspace', 'ada@example.org', { hd: ['example.org'] }, false],
  ])(
    'links an account with an address %s only if Google is authoritative for it',
    async (_, email, claims, links) => {
      const vendor = start()
      const service = await app(google(credentials))
      const id = await alice(service, email)
      const browser = browserAt(service, vendor, 'google')
      const response = await browser.logInWith({ ...ada, email, ...claims })
      expect(response.statusCode).toBe(links ? 303 : 202)
      expect(await keysOf(service, id)).toHaveLength(links ? 1 : 0)
    },
  )
})

describe('Microsoft', () => {
  const contoso = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
  const fabrikam = 'aaaabbbb-0000-cccc-1111-dddd2222eeee'
  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
  const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc, «Fetch the OpenID configuration document».
  const documentOf = (path: string, issuer: string) => ({
    token_endpoint: `https://login.microsoftonline.com/${path}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    jwks_uri: `https://login.microsoftonline.com/${path}/discovery/v2.0/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer,
    userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
    authorization_endpoint: `https://login.microsoftonline.com/${path}/oauth2/v2.0/authorize`,
  })
  function start(path: string, issuer = issuerOf('{tenantid}')) {
    const url = `${issuerOf(path)}/.well-known/openid-configuration`
    return startVendor(url, documentOf(path, issuer))
  }
  // https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference.
  const ada = {
    iss: issuerOf(contoso),
    tid: contoso,
    ver: '2.0',
    sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
    oid: '00000000-0000-0000-66f3-3332eca7ea81',
    name: 'Ada Lovelace',
    preferred_username: 'ada@example.org',
    email: 'ada@example.org',
  }

  it('signs people up once they have verified the address, and logs them in again', async () => {
    const vendor = start('common')
    const service = await app(microsoft(credentials))
    const browser = browserAt(service, vendor, 'microsoft')
    expect((await browser.logInWith(ada)).statusCode).toBe(202)
    await browser.send('POST', linkPath(await service.mail('identity-sign-up')))
    const me = await browser.me()
    expect(me).toMatchObject({ username: 'Ada-Lovelace', email: ada.email, is_verified: true })
    expect(await keysOf(service, me.id)).toEqual([`oidc:${issuerOf(contoso)}|${ada.sub}`])
    const again = browserAt(service, vendor, 'microsoft')
    await again.logInWith({ ...ada, email: 'renamed@example.org' })
    expect((await again.me()).id).toBe(me.id)
    // The same subject in another tenant is another user.
    const stranger = browserAt(service, vendor, 'microsoft')
    const other = { ...ada, iss: issuerOf(fabrikam), tid: fabrikam }
    expect((await stranger.logInWith(other)).statusCode).toBe(202)
    expect(await stranger.who()).toBeNull()
  })

  // https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization.
  it.each([{}, { xms_edov: true }, { xms_edov: 1 }, { email_verified: true, verified_primary_email: ['x'] }])(
    'never links by address, since tenant admins can set any: %j',
    async (claims) => {
      const vendor = start('common')
      const service = await app(microsoft(credentials))
      const id = await alice(service, ada.email)
      const browser = browserAt(service, vendor, 'microsoft')
      expect((await browser.logInWith({ ...ada, ...claims })).statusCode).toBe(202)
      expect([await keysOf(service, id), await browser.who()]).toEqual([[], null])
    },
  )

  // https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens, «Validate the issuer».
  it.each([
    ['the issuer is of a tenant other than tid', { iss: issuerOf(fabrikam) }],
    ['there is no tid', { tid: undefined }],
    ['there is no tid, and the issuer says so', { tid: undefined, iss: issuerOf('undefined') }],
    ['tid is not an id', { tid: 'contoso', iss: issuerOf('contoso') }],
    ['the issuer is still a template', { iss: issuerOf('{tenantid}') }],
    ['the issuer is another service', { iss: `https://sts.windows.net/${contoso}/` }],
  ])('is rejected if %s', async (_, claims) => {
    const vendor = start('common')
    const service = await app(microsoft(credentials))
    const browser = browserAt(service, vendor, 'microsoft')
    expect(refusalOf(await browser.logInWith({ ...ada, ...claims }))).toEqual(refused)
  })

  it.each([
    ['organizations', 'organizations', issuerOf('{tenantid}'), contoso, 202],
    ['organizations', 'organizations', issuerOf('{tenantid}'), personal, 400],
    ['consumers', personal, issuerOf(personal), personal, 202],
    ['consumers', personal, issuerOf(personal), contoso, 400],
    [contoso, contoso, issuerOf(contoso), contoso, 202],
    [contoso, contoso, issuerOf(contoso), fabrikam, 400],
  ])('with tenant %s at %s (%s), a user of %s gets %i', async (tenant, path, issuer, tid, status) => {
    const vendor = start(path, issuer)
    const service = await app(microsoft({ ...credentials, tenant }))
    const browser = browserAt(service, vendor, 'microsoft')
    expect((await browser.logInWith({ ...ada, iss: issuerOf(tid), tid })).statusCode).toBe(status)
  })

  it('recognizes an imported identity of any tenant', async () => {
    const vendor = start('common')
    const userStore = createMemoryUserStore()
    const service = await app(microsoft(credentials), { userStore })
    const { id } = await signUp({ ...service, users: userStore }, 'alice')
    const identityKeys = [`oidc:${issuerOf(contoso)}|${ada.sub}`, 'oidc:https://evil.example/v2.0|x']
    await userStore.update(id, { identityKeys }, (await userStore.findById(id))?.version ?? 0)
    const browser = browserAt(service, vendor, 'microsoft')
    await browser.logInWith(ada)
    const { results } = (await browser.send('GET', '/identities/')).json()
    expect(results).toMatchObject([{ provider: 'microsoft' }, { provider: null }])
  })
})

describe('Apple', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const options = {
    clientId: 'org.example.web',
    teamId: 'DEF123GHIJ',
    keyId: 'ABC123DEFG',
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
  // https://appleid.apple.com/.well-known/openid-configuration, named at
  // https://developer.apple.com/documentation/signinwithapplerestapi.
  const document = {
    issuer: 'https://appleid.apple.com',
    authorization_endpoint: 'https://appleid.apple.com/auth/authorize',
    token_endpoint: 'https://appleid.apple.com/auth/token',
    revocation_endpoint: 'https://appleid.apple.com/auth/revoke',
    jwks_uri: 'https://appleid.apple.com/auth/keys',
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'name'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }
  // https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple, the claims.
  const ada = {
    sub: '000792.d71059495fa24644b94e4a644e2e3b4a.0638',
    email: 'dpdcnf87nu@privaterelay.appleid.com',
    email_verified: 'true',
    is_private_email: 'true',
    nonce_supported: true,
    auth_time: 1_728_958_690,
  }
  const start = () => startVendor('https://appleid.apple.com/.well-known/openid-configuration', document)

  /** Apple makes the browser post a form cross-site, so no cookie is sent. */
  async function post(service: TestApp, parameters: URLSearchParams) {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://appleid.apple.com',
      'sec-fetch-site': 'cross-site',
    }
    const url = '/login/with/apple/callback/'
    const response = await service.app.inject({ method: 'POST', url, headers, payload: String(parameters) })
    return String(response.headers.location)
  }

  // https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.
  it('accepts the form, with a name only the first time, and logs people in again', async () => {
    const vendor = start()
    const service = await app(apple(options))
    const browser = browserAt(service, vendor, 'apple')
    const location = await browser.start()
    const { searchParams } = new URL(location)
    expect(searchParams.get('response_mode')).toBe('form_post')
    expect(searchParams.get('scope')).toBe('openid email name')
    const parameters = vendor.logIn(location, ada)
    const user = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'not-read@example.org' }
    parameters.set('user', JSON.stringify(user))
    const back = await browser.send('GET', await post(service, parameters))
    expect(back.statusCode, back.body).toBe(303)
    const me = await browser.me()
    expect(me).toMatchObject({ username: 'Ada-Lovelace', email: ada.email, is_verified: true })
    expect(await keysOf(service, me.id)).toEqual([`oidc:https://appleid.apple.com|${ada.sub}`])
    const again = browserAt(service, vendor, 'apple')
    const later = vendor.logIn(await again.start(), ada)
    await again.send('GET', await post(service, later))
    expect((await again.me()).id).toBe(me.id)
  })

  it.each([
    '',
    'null',
    '{',
    '{"name":null}',
    '{"name":{"firstName":5}}',
    '"Ada"',
    '{"name":{"firstName":" "}}',
  ])('continues without a name for %j', async (user) => {
    const vendor = start()
    const service = await app(apple(options))
    const browser = browserAt(service, vendor, 'apple')
    const parameters = vendor.logIn(await browser.start(), ada)
    parameters.set('user', user)
    await browser.send('GET', await post(service, parameters))
    expect(await browser.who()).toMatch(/^user-[0-9a-f]{20}$/)
  })

  it.each([
    ['at the relay', ada.email, true, 303],
    ['at the relay, not verified', ada.email, 'false', 202],
    ['of their own', 'ada@example.org', 'true', 202],
    ['at a subdomain of the relay', 'ada@x.privaterelay.appleid.com', true, 202],
  ])('is authoritative only for addresses at its relay: %s', async (_, email, email_verified, status) => {
    const vendor = start()
    const service = await app(apple(options))
    const id = await alice(service, email)
    const browser = browserAt(service, vendor, 'apple')
    expect((await browser.logInWith({ ...ada, email, email_verified })).statusCode).toBe(status)
    expect(await keysOf(service, id)).toHaveLength(status === 303 ? 1 : 0)
  })

  it('logs nobody in if the user cancels', async () => {
    const vendor = start()
    const service = await app(apple(options))
    const browser = browserAt(service, vendor, 'apple')
    const parameters = vendor.logIn(await browser.start())
    parameters.delete('code')
    parameters.set('error', 'user_cancelled_authorize')
    expect(refusalOf(await browser.send('GET', await post(service, parameters)))).toEqual(refused)
  })

  // https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret.
  it('gets a newly signed client secret for each login', async () => {
    const vendor = start()
    const service = await app(apple(options))
    const secretNow = () => {
      const last = vendor.asked.findLast(({ url }) => url === document.token_endpoint)
      return String(last?.body.get('client_secret'))
    }
    await browserAt(service, vendor, 'apple').logInWith(ada)
    const first = secretNow()
    const [head = '', body = '', signature = ''] = first.split('.')
    const key = { key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })) }
    const signed = Buffer.from(`${head}.${body}`)
    const isSigned = verify(
      'sha256',
      signed,
      { ...key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
    expect(read(head)).toEqual({ alg: 'ES256', kid: options.keyId })
    const { iat, exp, ...claims } = read(body)
    expect(claims).toEqual({ iss: options.teamId, aud: document.issuer, sub: options.clientId })
    expect([Math.abs(iat - Date.now() / 1000) < 60, exp - iat]).toEqual([true, 300])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 })
    await browserAt(service, vendor, 'apple').logInWith(ada)
    expect(read(secretNow().split('.')[1] ?? '').exp).toBeGreaterThan(Date.now() / 1000)
  })

  const lines = options.privateKey.trim().split('\n')
  it.each([
    ['as it is', options.privateKey],
    ['with escaped line breaks', options.privateKey.replaceAll('\n', '\\n')],
    ['with line breaks escaped twice', options.privateKey.replaceAll('\n', '\\\\n')],
    ['with escaped line breaks of Windows', options.privateKey.replaceAll('\n', '\\r\\n')],
    ['with line breaks of Windows', options.privateKey.replaceAll('\n', '\r\n')],
    ['with blanks for line breaks', lines.join(' ')],
    ['without line breaks', lines.join('')],
    ['indented', lines.map((line) => `    ${line}`).join('\n')],
    ['with a backslash at each end of a line', lines.join('\\\n')],
    ['in quotes', `"${options.privateKey.replaceAll('\n', '\\n')}"`],
    ['in single quotes', `'${options.privateKey}'`],
    ['with a byte order mark', `\ufeff${options.privateKey}`],
    ['in base64', Buffer.from(options.privateKey).toString('base64')],
    ['in base64url', Buffer.from(options.privateKey).toString('base64url')],
    [
      'in base64 with line breaks',
      Buffer.from(options.privateKey).toString('base64').replace(/.{76}/g, '$&\n'),
    ],
    ['without its first and last line', lines.slice(1, -1).join('\n')],
    ['without its last line', lines.slice(0, -1).join('\n')],
  ])('reads a key %s', async (_, privateKey) => {
    const { clientSecret } = apple({ ...options, privateKey })
    const [head, body, signature = ''] = String(await (clientSecret as () => string)()).split('.')
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(
      true,
    )
  })

  it.each<[string, Partial<AppleOptions>]>([
    ['teamId', { teamId: 'def123' }],
    ['keyId', { keyId: undefined as unknown as string }],
    ['privateKey', { privateKey: 'AuthKey_ABC123DEFG.p8' }],
    ['privateKey', { privateKey: '' }],
    ['privateKey', { privateKey: 'undefined' }],
    ['privateKey', { privateKey: options.privateKey.slice(0, 90) }],
    ['privateKey', { privateKey: options.privateKey.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE') }],
    ['privateKey', { privateKey: String(publicKey.export({ type: 'spki', format: 'pem' })) }],
    [
      'privateKey',
      {
        privateKey: String(
          generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
            type: 'pkcs8',
            format: 'pem',
          }),
        ),
      },
    ],
    ['clientSecret', { clientSecret: 'secret' } as object],
  ])('stop the start if %s is wrong, without revealing the key', (option, wrong) => {
    const start = () => apple({ ...options, ...wrong })
    expect(start).toThrow(`@fastify-accounts/providers: apple.${option} `)
    expect(start).not.toThrow(/\n|MIG/)
  })
})

describe('LinkedIn', () => {
  // https://www.linkedin.com/oauth/.well-known/openid-configuration.
  const document = {
    issuer: 'https://www.linkedin.com/oauth',
    authorization_endpoint: 'https://www.linkedin.com/oauth/v2/authorization',
    token_endpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
    userinfo_endpoint: 'https://api.linkedin.com/v2/userinfo',
    jwks_uri: 'https://www.linkedin.com/oauth/openid/jwks',
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email'],
    claims_supported: ['iss', 'aud', 'iat', 'exp', 'sub', 'name', 'email', 'email_verified', 'locale'],
  }
  // https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2.
  const ada = { sub: '782bbtaQ', name: 'Ada Lovelace', email: 'ada@example.org', email_verified: true }
  const start = () => startVendor(`${document.issuer}/.well-known/openid-configuration`, document)

  it('signs people up once they have verified the address, without nonce and PKCE', async () => {
    const vendor = start()
    const service = await app(linkedin(credentials))
    const browser = browserAt(service, vendor, 'linkedin')
    const { searchParams } = new URL(await browser.start())
    expect([searchParams.get('nonce'), searchParams.get('code_challenge')]).toEqual([null, null])
    expect((await browser.logInWith(ada)).statusCode).toBe(202)
    // LinkedIn rejects a code_verifier.
    const sent = vendor.asked.findLast(({ url }) => url === document.token_endpoint)?.body
    expect([sent?.get('client_secret'), sent?.has('code_verifier')]).toEqual(['secret', false])
    const mail = await service.mail('identity-sign-up')
    expect(mail.text).toMatch(/^Hello,/)
    expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(/user-[0-9a-f]/)
    await browser.send('POST', linkPath(mail))
    const me = await browser.me()
    expect(me).toMatchObject({ username: 'Ada-Lovelace', email: ada.email, is_verified: true })
    expect(await keysOf(service, me.id)).toEqual([`oidc:${document.issuer}|${ada.sub}`])
    const again = browserAt(service, vendor, 'linkedin')
    await again.logInWith({ ...ada, email: 'other@example.org' })
    expect((await again.me()).id).toBe(me.id)
  })

  it('never links by address', async () => {
    const vendor = start()
    const service = await app(linkedin(credentials))
    const id = await alice(service, ada.email)
    const browser = browserAt(service, vendor, 'linkedin')
    expect((await browser.logInWith(ada)).statusCode).toBe(202)
    expect([await keysOf(service, id), await browser.who()]).toEqual([[], null])
  })
})

describe('GitHub', () => {
  // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps, the response to Accept: application/json.
  const tokens = {
    access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
    scope: 'user:email',
    token_type: 'bearer',
  }
  const tokenUrl = 'https://github.com/login/oauth/access_token'
  // https://docs.github.com/en/rest/users/users#get-the-authenticated-user.
  const octocat = { login: 'octocat', id: 583_231, name: 'monalisa octocat', email: 'public@example.org' }
  // https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user.
  const emails = [
    { email: 'other@example.org', verified: true, primary: false, visibility: null },
    { email: 'octocat@example.org', verified: true, primary: true, visibility: 'public' },
  ]
  const emailsUrl = 'https://api.github.com/user/emails?per_page=100'

  function start(user: unknown = octocat, list: unknown = emails): Vendor {
    const vendor = startVendor(null, {}, tokenUrl)
    vendor.tokens = tokens
    vendor.documents['https://api.github.com/user'] = user
    vendor.documents[emailsUrl] = list
    return vendor
  }

  it('signs people up once they have verified the primary address, and logs them in again', async () => {
    const vendor = start()
    const service = await app(github(credentials))
    const browser = browserAt(service, vendor, 'github')
    const { origin, pathname, searchParams } = new URL(await browser.start())
    expect(`${origin}${pathname}`).toBe('https://github.com/login/oauth/authorize')
    expect([searchParams.get('scope'), searchParams.get('nonce')]).toEqual(['user:email', null])
    expect((await browser.logInWith()).statusCode).toBe(202)
    const { url, headers } = vendor.asked.at(-1) ?? {}
    expect([url, headers?.get('authorization')]).toEqual([emailsUrl, `Bearer ${tokens.access_token}`])
    await browser.send('POST', linkPath(await service.mail('identity-sign-up')))
    const me = await browser.me()
    expect(me).toMatchObject({ username: 'octocat', email: 'octocat@example.org', is_verified: true })
    expect(await keysOf(service, me.id)).toEqual(['oidc:https://github.com|583231'])
    // A login name or address can change hands; the number never does.
    vendor.documents['https://api.github.com/user'] = { ...octocat, login: 'renamed' }
    vendor.documents[emailsUrl] = []
    const again = browserAt(service, vendor, 'github')
    expect((await again.logInWith()).statusCode).toBe(303)
    expect((await again.me()).id).toBe(me.id)
    vendor.documents['https://api.github.com/user'] = { ...octocat, id: 1 }
    const successor = browserAt(service, vendor, 'github')
    await successor.logInWith()
    expect((await successor.me()).id).not.toBe(me.id)
  })

  it('never links by address', async () => {
    const vendor = start()
    const service = await app(github(credentials))
    const id = await alice(service, 'octocat@example.org')
    const browser = browserAt(service, vendor, 'github')
    expect((await browser.logInWith()).statusCode).toBe(202)
    expect([await keysOf(service, id), await browser.who()]).toEqual([[], null])
  })

  it.each([
    ['is unverified', [{ ...emails[1], verified: false }, emails[0]]],
    ['is not primary', [emails[0]]],
    ['is missing', []],
    ['is invalid', [null, { primary: true, verified: true, email: 5 }]],
    ['is not in a list', { message: 'x' }],
  ])('has no address if the primary one %s, and never uses the public one', async (_, list) => {
    const vendor = start(octocat, list)
    const service = await app(github(credentials))
    const browser = browserAt(service, vendor, 'github')
    expect((await browser.logInWith()).statusCode).toBe(303)
    expect(await browser.me()).toMatchObject({ username: 'octocat', email: null })
  })

  // RFC 9207: https://github.com/nextauthjs/next-auth/issues/13409.
  it.each([
    ['https://github.com/login/oauth', 202],
    ['https://evil.example', 400],
  ])('with issuer %s in its response gets %i', async (iss, status) => {
    const vendor = start()
    const service = await app(github(credentials))
    const browser = browserAt(service, vendor, 'github')
    const parameters = vendor.logIn(await browser.start())
    parameters.set('iss', iss)
    expect((await browser.comeBack(parameters)).statusCode).toBe(status)
  })

  it('reports an invalid code with status 200', async () => {
    const vendor = start()
    // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors.
    vendor.tokens = {
      error: 'bad_verification_code',
      error_description: 'The code passed is incorrect or expired.',
    }
    const service = await app(github(credentials))
    expect(refusalOf(await browserAt(service, vendor, 'github').logInWith())).toEqual(refused)
  })

  it.each([{ login: 'octocat' }, { ...octocat, id: '583231' }, null])(
    'is rejected if its response names no account: %j',
    async (user) => {
      const service = await app(github(credentials))
      const browser = browserAt(service, start(user), 'github')
      expect(refusalOf(await browser.logInWith())).toEqual(refused)
    },
  )

  // https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api, and rate-limits-for-the-rest-api.
  it.each([
    ['without the scope', 404, {}, 400, 'is a scope or a permission missing?'],
    ['without the permission of a GitHub App', 403, {}, 400, 'is a scope or a permission missing?'],
    ['with a token that it does not take', 401, {}, 400, 'returned 401'],
    ['too frequently', 403, { 'x-ratelimit-remaining': '0' }, 503, null],
    ['far too frequently', 403, { 'retry-after': '60' }, 503, null],
    ['too frequently, in other words', 429, {}, 503, null],
    ['while it is down', 502, {}, 503, null],
  ])(
    'that rejects the address request %s gets %i: nobody is logged in, and the log has the reason',
    async (...row) => {
      const [, status, headers, expected, word] = row
      const vendor = start(octocat, Response.json({ message: 'Not Found' }, { status, headers }))
      const lines: string[] = []
      const logger = { stream: { write: (line: string) => void lines.push(line) }, level: 'warn' }
      const service = await app(github(credentials), {}, { server: { logger } })
      const response = await browserAt(service, vendor, 'github').logInWith()
      expect([response.statusCode, response.json().provider]).toEqual([expected, 'GitHub'])
      if (word !== null) expect(lines.join('')).toContain(word)
    },
  )

  it('logs in imported users', async () => {
    const vendor = start()
    const userStore = createMemoryUserStore()
    const service = await app(github(credentials), { userStore })
    const { id } = await signUp({ ...service, users: userStore }, 'alice')
    const identityKeys = ['oidc:https://github.com|583231']
    await userStore.update(id, { identityKeys }, (await userStore.findById(id))?.version ?? 0)
    const browser = browserAt(service, vendor, 'github')
    await browser.logInWith()
    expect(await browser.who()).toBe('alice')
    const { results } = (await browser.send('GET', '/identities/')).json()
    expect(results).toMatchObject([{ provider: 'github' }])
  })
})

describe('the options of a preset', () => {
  it('stop the start if they are wrong, in one line that names the option', () => {
    const wrong: [string, () => unknown][] = [
      ['google.clientSecret is missing', () => google({ clientId: 'app' } as typeof credentials)],
      [
        'google.authoritativeFor does not exist',
        () => google({ ...credentials, authoritativeFor: true } as object as typeof credentials),
      ],
      [
        'google.tenant does not exist',
        () => google({ ...credentials, tenant: 'x' } as object as typeof credentials),
      ],
      [
        'work.tenant must be',
        () => microsoft({ ...credentials, name: 'work', tenant: 'contoso.onmicrosoft.com' }),
      ],
      [
        'microsoft.tenant must be',
        () => microsoft({ ...credentials, tenant: 5 } as object as MicrosoftOptions),
      ],
      ['github.clientId is missing', () => providers([github({ ...credentials, clientId: '' })])],
      [
        'github.allow must be',
        () => providers([github({ ...credentials, allow: true } as object as typeof credentials)]),
      ],
    ]
    for (const [message, start] of wrong) expect(start).toThrow(`@fastify-accounts/providers: ${message}`)
  })

  it('let one preset be used twice, under two names', () => {
    const contoso = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
    const work = microsoft({ ...credentials, name: 'work', label: 'Contoso', tenant: contoso })
    expect(work).toMatchObject({ name: 'work', label: 'Contoso' })
    expect(() => providers([work, microsoft({ ...credentials, tenant: 'consumers' })])).not.toThrow()
  })
})
