const { randomBytes } = require('node:crypto')
const Fastify = require('fastify')
const accounts = require('fastify-accounts')

async function main() {
  const { cheap, story } = await import('./story.mjs')
  const app = Fastify()
  await app.register(accounts.default, {
    secret: randomBytes(32).toString('base64url'),
    baseUrl: 'http://localhost:3000',
    users: true,
    passwordHasher: accounts.createScryptHasher(cheap),
  })
  await story(app)
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
