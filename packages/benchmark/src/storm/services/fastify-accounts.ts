import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openSqlite,
} from '@fastify-accounts/kysely'
import Fastify from 'fastify'
import accounts, { createScryptHasher } from 'fastify-accounts'
import { newUser } from 'fastify-accounts/testing'
import { sqliteDriver } from '../../requests/databases.js'
import { versionOf } from '../../versions.js'
import { emailOf, password, publicUrl, usernameOf } from '../requests.js'
import type { Service } from '../service.js'

/** The same at each start, so sessions outlive one. */
const secret = 'a2VwdC1hY3Jvc3Mtc3RhcnRzLW9mLXRoZS1iZW5jaG1hcms'

/** This project with its defaults, users and sessions in SQLite. */
export const ownService: Service = {
  async seed(file, users) {
    const db = openSqlite(file)
    await migrate(db)
    const store = createKyselyUserStore({ db, destroyOnClose: true })
    const passwordHash = await createScryptHasher().hash(password)
    const people = Array.from({ length: users }, (_, at) => {
      const [username, email] = [usernameOf(at), emailOf(at)]
      return newUser({
        username,
        usernameKey: username,
        email,
        emailKey: email,
        passwordHash,
        isVerified: true,
      })
    })
    await Promise.all(people.map((person) => store.create(person)))
    await store.close?.()
  },

  async serve(file, logger) {
    const db = openSqlite(file)
    const userStore = createKyselyUserStore({ db })
    const app = Fastify({ logger, trustProxy: 'loopback' })
    app.addHook('onClose', () => db.destroy())
    await app.register(accounts, {
      secret,
      baseUrl: publicUrl,
      userStore,
      sessionStore: createKyselySessionStore({ db, userStore }),
      // In production there is none by default; no route that is called here sends any.
      mailer: { send: async () => {} },
    })
    return app
  },

  versions: [versionOf('fastify'), versionOf(sqliteDriver())],
}
