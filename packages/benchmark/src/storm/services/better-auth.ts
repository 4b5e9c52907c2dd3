import { randomBytes } from 'node:crypto'
import { sqliteDialect } from '@fastify-accounts/kysely/dialects'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders } from 'better-auth/node'
import Fastify from 'fastify'
import Database from 'libsql'
import { versionOf } from '../../versions.js'
import { emailOf, password, publicUrl, usernameOf } from '../requests.js'
import type { Service } from '../service.js'

/**
 * better-auth with its defaults, on the same SQLite dialect as ours (it keeps statements prepared, which is faster than
 * a bare database handed to it), mounted as its guide for Fastify says. Its cookie cache is off, as it is by default:
 * with it a session that was ended lives on for a while.
 */
export const betterAuthService: Service = {
  async seed(file, users) {
    const database = new Database(file)
    const auth = authOn(database)
    const { runMigrations } = await getMigrations(auth.options)
    await runMigrations()
    const { internalAdapter, password: passwords } = await auth.$context
    const hash = await passwords.hash(password)
    database.exec('BEGIN')
    for (let at = 0; at < users; at++) {
      const user = await internalAdapter.createUser(
        { name: usernameOf(at), email: emailOf(at), emailVerified: true },
        { method: 'email-password' },
      )
      await internalAdapter.linkAccount({
        userId: user.id,
        accountId: user.id,
        providerId: 'credential',
        password: hash,
      })
    }
    database.exec('COMMIT')
    database.close()
  },

  async serve(file, logger) {
    const database = new Database(file)
    const auth = authOn(database)
    const app = Fastify({ logger, trustProxy: 'loopback' })
    app.addHook('onClose', async () => database.close())
    app.route({
      method: ['GET', 'POST'],
      url: '/api/auth/*',
      async handler(request, reply) {
        const body = request.body ? { body: JSON.stringify(request.body) } : {}
        const response = await auth.handler(
          new Request(new URL(request.url, publicUrl), {
            method: request.method,
            headers: fromNodeHeaders(request.headers),
            ...body,
          }),
        )
        reply.status(response.status)
        for (const [name, value] of response.headers) reply.header(name, value)
        return reply.send(response.body ? await response.text() : null)
      },
    })
    return app
  },

  versions: [versionOf('better-auth')],
}

function authOn(database: Database.Database) {
  return betterAuth({
    secret: randomBytes(32).toString('base64url'),
    baseURL: publicUrl,
    database: { dialect: sqliteDialect(database), type: 'sqlite' },
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
  })
}
