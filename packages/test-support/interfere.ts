import { Kysely } from 'kysely'
import { dialectFor, type Place } from './databases.js'

/** A connection, and what somebody else does just before its first statement that begins like this. */
export async function connectWith(
  place: Place,
  beginning: string,
  happen: () => Promise<unknown>,
): Promise<Kysely<unknown>> {
  const dialect = await dialectFor(place, 1)
  let isDue = true
  return new Kysely({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver() {
        const driver = dialect.createDriver()
        const acquire = driver.acquireConnection.bind(driver)
        driver.acquireConnection = async () => {
          const connection = await acquire()
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = async (query) => {
            if (isDue && query.sql.startsWith(beginning)) {
              isDue = false
              await happen()
            }
            return execute(query)
          }
          return connection
        }
        return driver
      },
    },
  })
}
