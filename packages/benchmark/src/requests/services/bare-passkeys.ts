import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { passkeyOrigin, passkeySite } from '../names.js'

const expected = {
  // The client is asked nothing else.
  expectedChallenge: () => true,
  expectedOrigin: passkeyOrigin,
  expectedRPID: passkeySite,
}

/** SimpleWebAuthn, as ours uses it, and nothing else: no accounts, no sessions, a challenge that is never checked. */
export function addPasskeyRoutes(app: FastifyInstance, user: object, schema: FastifySchema): void {
  const known = new Map<string, WebAuthnCredential>()

  app.post<{ Body: { username: string } }>('/signup/passkey/options/', ({ body }) =>
    generateRegistrationOptions({ rpName: 'bare', rpID: passkeySite, userName: body.username }),
  )
  app.post<{ Body: { response: RegistrationResponseJSON } }>(
    '/signup/passkey/',
    { schema },
    async ({ body }, reply) => {
      const { registrationInfo } = await verifyRegistrationResponse({ ...expected, response: body.response })
      if (registrationInfo === undefined) return reply.code(400).send()
      known.set(registrationInfo.credential.id, registrationInfo.credential)
      return reply.code(201).send(user)
    },
  )
  app.post('/login/passkey/options/', () => generateAuthenticationOptions({ rpID: passkeySite }))
  app.post<{ Body: { response: AuthenticationResponseJSON } }>(
    '/login/passkey/',
    { schema },
    async ({ body: { response } }, reply) => {
      const credential = known.get(response.id)
      if (credential === undefined) return reply.code(401).send()
      const { verified } = await verifyAuthenticationResponse({ ...expected, response, credential })
      return verified ? user : reply.code(401).send()
    },
  )
}
