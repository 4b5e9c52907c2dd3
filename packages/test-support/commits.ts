import { Kysely } from 'kysely'
import { dialectFor } from './databases.js'

/** What happens instead of a commit. */
export type AtCommit = (commit: () => Promise<void>) => Promise<void>

/** A connection to a database, as `connect` makes it, whose commits a test can interfere with. */
export async function connectWithCommits<Db>(...place: Parameters<typeof dialectFor>) {
  const dialect = await dialectFor(...place)
  const createDriver = dialect.createDriver.bind(dialect)
  let next: AtCommit | undefined
  dialect.createDriver = () => {
    const driver = createDriver()
    const commit = driver.commitTransaction.bind(driver)
    driver.commitTransaction = (connection) => {
      const meet = next
      next = undefined
      return meet === undefined ? commit(connection) : meet(() => commit(connection))
    }
    return driver
  }
  return {
    db: new Kysely<Db>({ dialect }),
    /** Interferes with the next one. */
    meetCommit(meet: AtCommit) {
      next = meet
    },
    /** Whether nothing waits for a commit anymore. */
    isMet: () => next === undefined,
  }
}
