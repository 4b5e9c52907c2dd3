/**
 * `npm run staff -- ada`: makes an existing user staff. No route can do that for the first staff member. It uses the
 * server's settings, and the server may be running. It opens only the database: a complete app would also send the
 * emails waiting for the server's mailer.
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
    if (changed === null) throw new Error(`${user.username} was changed at the same time; try again.`)
    console.log(`${user.username} is staff.`)
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
