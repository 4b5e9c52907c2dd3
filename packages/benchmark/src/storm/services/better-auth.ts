import { randomBytes } from 'node:crypto'
import { sqliteDialect } from '@fastify-accounts/kysely'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders } from 'better-auth/node'
import Fastify from 'fastify'
import type Database from 'libsql'
import { openSqliteFile, sqliteDriver } from '../../requests/databases.js'
import { versionOf } from '../../versions.js'
import { emailOf, password, publicUrl, usernameOf } from '../requests.js'
import type { Service } from '../service.js'

/**
 * better-auth with its defaults, mounted as its guide for Fastify says, on the same SQLite driver and dialect as ours,
 * which keeps statements prepared and so is faster than passing it the database. Its cookie cache is off, as it is by
 * default: with it, a session outlives its end for a while.
 */
export const betterAuthService: Service = {
  async seed(file, users) {
    const database = await openSqliteFile(file)
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
    const database = await openSqliteFile(file)
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

  versions: [versionOf(sqliteDriver()), versionOf('better-auth')],
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
