// The stores come from another package of the monorepo.
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import accounts, { createScryptHasher } from 'fastify-accounts'
import { db, sessionStore, userStore } from 'stores'
import { cheap, story } from './story.mjs'

const app = Fastify()
await app.register(accounts, {
  secret: randomBytes(32).toString('base64url'),
  baseUrl: 'http://localhost:3000',
  users: true,
  passwordHasher: createScryptHasher(cheap),
  userStore,
  sessionStore,
})
await story(app)
await db.destroy()
