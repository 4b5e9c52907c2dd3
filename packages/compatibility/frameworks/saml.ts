import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import { type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts from 'fastify-accounts'

const site = 'http://localhost:3000'
const minutes = 60_000

export async function createApp(): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(cookie)
  await app.register(accounts, {
    secret: process.env.SECRET,
    baseUrl: site,
    prefix: '/accounts',
    users: true,
    // Only the directory creates accounts: nobody can claim one of its names first.
    authorize: { createUser: () => false },
  })
  const saml = new SAML({
    issuer: `${site}/saml/`,
    callbackUrl: `${site}/saml/callback/`,
    entryPoint: process.env.SAML_ENTRY_POINT ?? '',
    idpCert: process.env.SAML_CERTIFICATE ?? '',
    // Directories sign the assertion, but rarely the whole response.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: true,
    // An assertion must be for a request from this app, and is accepted once.
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: 10 * minutes,
  })
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 256 * 1024 },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    // Login must finish in the browser that started it. The directory posts cross-site: hence SameSite=None.
    const flow = { path: '/saml/', httpOnly: true, secure: true, sameSite: 'none' } as const

    scope.post('/saml/login/', async (_request, reply) => {
      const state = randomBytes(32).toString('base64url')
      reply.setCookie('saml', state, { ...flow, maxAge: 600 })
      return reply.redirect(await saml.getAuthorizeUrlAsync(state, undefined, {}), 303)
    })

    scope.post<{ Body: Record<string, string> }>('/saml/callback/', async (request, reply) => {
      const { SAMLResponse = '', RelayState } = request.body ?? {}
      const isOwn = request.cookies.saml !== undefined && request.cookies.saml === RelayState
      reply.clearCookie('saml', flow)
      const profile = isOwn ? await profileOf(SAMLResponse) : null
      if (profile === null) return reply.code(403).send({ message: 'Start again from the login page.' })
      const user =
        (await app.accounts.findUser({ username: profile.nameID })) ??
        (await app.accounts.createUser({
          username: profile.nameID,
          // A random one that nobody knows.
          password: randomBytes(32).toString('base64url'),
        }))
      await app.accounts.logIn(request, reply, user.id, { methods: ['fed'] })
      return reply.redirect('/', 303)
    })
  })

  async function profileOf(SAMLResponse: string): Promise<Profile | null> {
    try {
      return (await saml.validatePostResponseAsync({ SAMLResponse })).profile
    } catch (error) {
      app.log.warn({ err: error }, 'an assertion was refused')
      return null
    }
  }
  return app
}
