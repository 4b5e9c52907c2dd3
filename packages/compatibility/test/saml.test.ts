import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../frameworks/saml.js'

// The library that node-saml verifies with; it can sign as well.
const ofLibrary = createRequire(createRequire(import.meta.url).resolve('@node-saml/node-saml'))
interface Signer {
  addReference(what: object): void
  computeSignature(xml: string, where: object): void
  getSignedXml(): string
}
const { SignedXml } = ofLibrary('xml-crypto') as { SignedXml: new (options: object) => Signer }

const keys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
const directory = keys()
const stranger = keys()

/** What a directory makes the browser post. */
interface Assertion {
  inResponseTo: string
  nameId?: string
  audience?: string
  minutes?: number
  /** `null` leaves the assertion unsigned. */
  key?: string | null
}

function assertionFor({
  inResponseTo,
  nameId = 'ada',
  audience = 'http://localhost:3000/saml/',
  minutes = 5,
  key = directory.privateKey,
}: Assertion): string {
  const [now, end] = [0, minutes].map((each) => new Date(Date.now() + each * 60_000).toISOString())
  const callback = 'http://localhost:3000/saml/callback/'
  const id = `_${randomUUID()}`
  const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${callback}" InResponseTo="${inResponseTo}"><saml:Issuer>https://directory.example</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>https://directory.example</saml:Issuer><saml:Subject><saml:NameID>${nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${callback}" InResponseTo="${inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions></saml:Assertion></samlp:Response>`
  if (key === null) return Buffer.from(xml).toString('base64')
  const transforms = [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
  ]
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256'
  signer.addReference({ xpath: `//*[@ID='${id}']`, transforms, digestAlgorithm })
  const reference = `//*[@ID='${id}']/*[local-name()='Issuer']`
  signer.computeSignature(xml, { location: { reference, action: 'after' } })
  return Buffer.from(signer.getSignedXml()).toString('base64')
}

describe('the SAML guide', () => {
  let app: FastifyInstance
  beforeEach(async () => {
    vi.stubEnv('SECRET', 'a test needs no better secret than this one')
    vi.stubEnv('SAML_ENTRY_POINT', 'https://directory.example/sso')
    vi.stubEnv('SAML_CERTIFICATE', directory.publicKey)
    app = await createApp()
    await app.ready()
  })
  afterEach(async () => {
    await app.close()
    vi.unstubAllEnvs()
  })

  /** Goes to the directory; returns the request's id, the state and the cookie. */
  async function begin() {
    const { statusCode, headers, cookies } = await app.inject({ method: 'POST', url: '/saml/login/' })
    const url = new URL(String(headers.location))
    expect([statusCode, url.host]).toEqual([303, 'directory.example'])
    expect(cookies).toMatchObject([{ name: 'saml', httpOnly: true, secure: true, sameSite: 'None' }])
    const asked = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    const [, inResponseTo = ''] = / ID="([^"]+)"/.exec(asked) ?? []
    return { inResponseTo, state: url.searchParams.get('RelayState') ?? '', saml: cookies[0]?.value ?? '' }
  }

  const comeBack = (SAMLResponse: string, state: string, saml?: string) =>
    app.inject({
      method: 'POST',
      url: '/saml/callback/',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://directory.example',
        'sec-fetch-site': 'cross-site',
      },
      payload: String(new URLSearchParams({ SAMLResponse, RelayState: state })),
      ...(saml !== undefined && { cookies: { saml } }),
    })

  async function who(cookies: { name: string; value: string }[]): Promise<string | null> {
    const sent = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    const response = await app.inject({ url: '/accounts/me/', cookies: sent })
    return response.statusCode === 200 ? response.json().username : null
  }

  it("logs the directory's users in, each to their own account", async () => {
    const ids: (string | undefined)[] = []
    for (const nameId of ['ada', 'grace', 'ada']) {
      const { inResponseTo, state, saml } = await begin()
      const back = await comeBack(assertionFor({ inResponseTo, nameId }), state, saml)
      expect([back.statusCode, await who(back.cookies)]).toEqual([303, nameId])
      ids.push((await app.accounts.findUser({ username: nameId }))?.id)
    }
    expect([ids[0] === ids[2], ids[0] === ids[1]]).toEqual([true, false])
    const form = {
      username: 'eve',
      password: 'seven-green-lanterns',
      confirm_password: 'seven-green-lanterns',
    }
    const signUp = await app.inject({ method: 'POST', url: '/accounts/signup/', payload: form })
    expect(signUp.statusCode).toBe(403)
  })

  it.each<[string, Partial<Assertion>]>([
    ['unsigned', { key: null }],
    ['signed by someone else', { key: stranger.privateKey }],
    ['for another audience', { audience: 'https://other.example/' }],
    ['that has expired', { minutes: -5 }],
    ['for no request of ours', { inResponseTo: '_unknown' }],
  ])('rejects an assertion %s', async (_, wrong) => {
    const { inResponseTo, state, saml } = await begin()
    const back = await comeBack(assertionFor({ inResponseTo, ...wrong }), state, saml)
    expect([back.statusCode, await who(back.cookies)]).toEqual([403, null])
    expect(await app.accounts.findUser({ username: 'ada' })).toBeNull()
  })

  it('rejects another browser, and an assertion used before', async () => {
    const { inResponseTo, state, saml } = await begin()
    const other = await begin()
    const assertion = assertionFor({ inResponseTo })
    for (const cookie of [undefined, other.saml])
      expect((await comeBack(assertion, state, cookie)).statusCode).toBe(403)
    expect((await comeBack(assertion, state, saml)).statusCode).toBe(303)
    expect((await comeBack(assertion, state, saml)).statusCode).toBe(403)
  })
})
