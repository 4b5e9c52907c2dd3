import { createMemoryThrottleStore } from 'fastify-accounts'
import { driversHere } from '../databases.js'
import { type Stores as GroundStores, grounds } from '../grounds.js'
import { makeTables, openSql, storesOn } from '../tables/open-tables.js'
import { sqlTables } from '../tables/sql-tables.js'

/** The stores of a service. Invitations are in memory by default. */
export type Stores = Pick<GroundStores, 'users' | 'sessions' | 'throttle'> &
  Partial<Pick<GroundStores, 'invitations'>>

export interface OpenGround extends Required<Stores> {
  close(): Promise<void>
}

/** A combination of stores: one of those that every security case runs on, or tables that an author queries. */
export interface Ground {
  name: (typeof grounds)[number]['name'] | 'tables in PostgreSQL'
  /** With empty stores. */
  open(): Promise<OpenGround>
}

const here: Ground[] = grounds
  .filter(({ isHere }) => isHere)
  .map((ground) => ({
    name: ground.name,
    async open() {
      const { stores, close } = await ground.open()
      const { users, invitations, ...rest } = await stores()
      // Many services share one database, and tests wait for each email at the service that posted it, so there is no
      // outbox. It is tested in packages/kysely, and its faults in packages/accounts/test/postman.test.ts.
      return {
        ...rest,
        users: { ...users, outbox: undefined },
        invitations: { ...invitations, outbox: undefined },
        close,
      }
    },
  }))

/** An author's statements meet the same faults. */
const tables: Ground = {
  name: 'tables in PostgreSQL',
  async open() {
    const { place, drop } = await makeTables('pg')
    const sql = await openSql(place)
    const { users, sessions, invitations } = storesOn(sqlTables(sql))
    if (users.list === undefined) throw new Error('the store has no list')
    const listing = { ...users, list: users.list, outbox: undefined }
    return {
      users: listing,
      sessions: { ...sessions, withUsers: undefined },
      invitations: { ...invitations, outbox: undefined },
      throttle: createMemoryThrottleStore(),
      async close() {
        await sql.close()
        await drop()
      },
    }
  },
}

const [inMemory, ...others] = here
if (process.env.CATALOGUE_GROUNDS !== 'memory' && (await driversHere(['pg'])).length > 0) others.push(tables)
if (inMemory?.name !== 'memory') throw new Error('the first ground is not memory')

export const memory: Ground = inMemory
/** The other grounds whose services respond here. */
export const databases: readonly Ground[] = others
