import type { FastifyInstance } from 'fastify'

/** What API keys of this app can be allowed to do. */
export const scopes = {
  'profile:read': 'Read your username and display name',
  'profile:email': 'Read your email address',
} as const

export type Scope = keyof typeof scopes

/** The app's own routes: with an API key, or for whoever is logged in; the last one for operators. */
export function mountApi(app: FastifyInstance): void {
  const { check, requirePermission, requireScope, userOf } = app.accounts
  app.get('/api/profile', { onRequest: requireScope('profile:read') }, async (request) => {
    const { username, fields } = userOf(request)
    return { username, display_name: fields.display_name ?? null }
  })
  app.get('/api/email', { onRequest: requireScope('profile:email') }, async (request) => {
    const { email, isVerified } = userOf(request)
    return { email, is_verified: isVerified }
  })
  // What /healthz doesn't tell everyone.
  app.get('/api/status', { onRequest: requirePermission('status:read') }, async () => check())
}
