/**
 * `npm run staff -- ada`: makes somebody staff who has signed up. No route does that for the first one: whoever can run
 * this can read the database, too. It goes by the same settings as the server, which may be running. It opens no more
 * than the database: a whole app would deliver the mails that wait for the server's mailer.
 */
import { usernameKey } from 'fastify-accounts'
import { readSettings } from './config.js'
import { openDatabase } from './database.js'

// The data here is private.
process.umask(0o077)
const [username] = process.argv.slice(2)

try {
  if (username === undefined) throw new Error('Usage: npm run staff -- USERNAME')
  const { userStore, close } = await openDatabase(readSettings(process.env).database)
  try {
    const user = await userStore.findByUsername(usernameKey(username))
    if (user === null) throw new Error(`There is no user ${username}: sign up first.`)
    const changed = await userStore.update(user.id, { isStaff: true }, user.version)
    if (changed === null) throw new Error(`${user.username} was changed at the same time: try again.`)
    console.log(`${user.username} is staff.`)
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
