import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { backFill } from './back-fill.js'

// DATABASE_URL=file:customers.db node dist/run-back-fill.js
const client = createClient({ url: process.env.DATABASE_URL ?? 'file:customers.db' })
const { filled, withoutAccount, withoutAddress } = await backFill(drizzle(client))
client.close()

console.log(`filled: ${filled.length}`)
console.log(
  `no account, since the login is empty or not theirs alone: ${withoutAccount.join(', ') || 'none'}`,
)
console.log(
  `no address, since it cannot be read or is not theirs alone: ${withoutAddress.join(', ') || 'none'}`,
)
