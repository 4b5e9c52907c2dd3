import {
  type Alongside,
  AlongsideError,
  alongsideCalls,
  type NewUser,
  type StoredUser,
  type UserChanges,
} from 'fastify-accounts'
import { CompiledQuery, type Kysely } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { failureOf, saysOutOfTime, saysTransactionEnded } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import type { Write } from '../run/calls.js'
import { hostTransaction } from '../run/host-transaction.js'
import { createNote } from './alongside-note.js'

/**
 * The app's own changes within a transaction of the store; each absent if the app has none. Each takes the deadline of the
 * call, in milliseconds of `performance.now()`.
 */
export interface AlongsideChanges {
  /** Writes once the database notes that the app has `alongside`. */
  noted(write: Write): Write
  created?: ((deadline: number) => Created) | undefined
  deleted?: ((deadline: number) => Deleted) | undefined
  /** `undefined` if the changes prove no address. */
  verified?: ((changes: UserChanges, deadline: number) => Verified | undefined) | undefined
}

/**
 * After the insert.
 * @param wanted the person that an unclaimed user was to be: what the app does for them is undone
 */
type Created = (user: StoredUser, on: Kysely<Tables>, wanted?: NewUser) => Promise<void>

/** Before the delete of the row, which is locked. */
type Deleted = (user: StoredUser, on: Kysely<Tables>, successor?: StoredUser) => Promise<void>

/** After the update of the row, which is locked since it was read. */
type Verified = (before: StoredUser, after: StoredUser, on: Kysely<Tables>) => Promise<void>

const begin = CompiledQuery.raw('savepoint accounts_alongside')
const check = CompiledQuery.raw('savepoint accounts_checked')
const keep = CompiledQuery.raw('release savepoint accounts_alongside')
const undo = CompiledQuery.raw('rollback to savepoint accounts_alongside')

/** @throws TypeError of one line that names the option */
export function createAlongside<Tx>(
  host: Database,
  names: Names,
  alongside: Alongside<Tx> | undefined,
): AlongsideChanges {
  const { created, deleted, verified } = alongsideCalls(
    alongside,
    (error) => passingErrorIn(error) !== undefined,
  )
  const note = createNote(accountsDb(host), names)

  /**
   * Runs between savepoints, which end with the transaction: otherwise an error that the app has caught, after which the
   * engine rolls back, would pass for a success. Keeping takes as many statements as undoing.
   */
  async function inside(
    name: keyof Alongside<Tx>,
    on: Kysely<Tables>,
    end: CompiledQuery,
    run: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    await on.executeQuery(begin)
    const transaction = await hostTransaction<Tx>(host, on)
    try {
      await run(transaction.tx)
    } catch (error) {
      throw error instanceof AlongsideError ? error : (passingErrorIn(error) ?? error)
    } finally {
      transaction.end()
    }
    try {
      await on.executeQuery(check)
      await on.executeQuery(end)
    } catch (error) {
      throw saysTransactionEnded(error) ? new AlongsideError(name, ended(name, error)) : error
    }
  }

  return {
    noted: (write) => async (change, together) => {
      await note()
      return write(change, together)
    },
    created:
      created &&
      ((deadline) => async (user, on, wanted) => {
        const person = { ...user, ...wanted }
        if (person.kind !== 'person') return
        const name = alongside?.created ? 'created' : 'verified'
        await inside(name, on, wanted ? undo : keep, (tx) => created(tx, person, deadline))
      }),
    deleted:
      deleted &&
      ((deadline) => async (user, on, successor) => {
        if (user.kind !== 'person') return
        await inside('deleted', on, keep, (tx) => deleted(tx, user, successor, deadline))
      }),
    verified:
      verified &&
      ((changes, deadline) =>
        verified.isPossible(changes)
          ? async (before, after, on) => {
              if (verified.isDue(before, after))
                await inside('verified', on, keep, (tx) => verified.run(tx, after, deadline))
            }
          : undefined),
  }
}

const passing = new Set(['contended', 'unprepared', 'locked'])

/**
 * The driver's error, perhaps within others, if it says nothing about the app's statement: the whole transaction runs
 * again, or the database was too slow.
 */
function passingErrorIn(error: unknown): unknown {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const failure = failureOf(each)
    if (passing.has(failure) || saysOutOfTime(each)) return each
  }
  return undefined
}

function ended(name: string, cause: unknown): Error {
  return new Error(
    `alongside.${name} has ended the transaction, or caught an error after which the database rolls it back: let such errors pass`,
    { cause },
  )
}
