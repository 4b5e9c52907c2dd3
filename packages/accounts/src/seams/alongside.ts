import { markError } from '../copies.js'
import { hasProven, isKnownOwner } from '../notes.js'
import { type AccountUser, accountUser, type StoredUser, type UserChanges } from '../user.js'
import { UnavailableError } from './store-errors.js'

/**
 * Your own rows beside a user: an option of stores on a database. The functions run in the transaction that creates,
 * verifies, deletes or hands over the user, whichever way it comes, so a user and their rows exist together or not at all.
 * They run for people, never for service accounts.
 *
 * - They may only change the database through `tx`, and may run again: after a serialization failure or a deadlock the
 *   whole transaction does.
 * - With `requireEmailConfirmation`, `created` also runs for a sign-up with the address of another account, and what it
 *   did is undone: otherwise its time, or its error, would tell who has an account. A column of yours in which an address
 *   must be unique would tell as well.
 * - An error rolls everything back and reaches your app's error handling unchanged, with its `statusCode`.
 * - A function that takes longer than the call may is given up: everything is rolled back, and the response is 503.
 */
export interface Alongside<Tx> {
  /** After the user was inserted. */
  created?(tx: Tx, user: AccountUser): Promise<void>
  /**
   * Once `user.email` is known to be the user's: after the change by which its owner proves it, or by which staff or your code
   * say so; after `created` for an account that is created verified. Not after a plain proof, or a new address confirmed
   * elsewhere (docs/ownership.md), which a stranger's account may get, until its owner is known.
   *
   * Runs again for each new address, for an earlier one that the account gets back, and when an address is verified that
   * staff had marked as unverified: doing it twice must do no harm. What it did about a former address is yours to undo.
   */
  verified?(tx: Tx, user: AccountUser): Promise<void>
  /** Before the user is deleted: rows that refer to it can go first. */
  deleted?(tx: Tx, user: AccountUser): Promise<void>
  /**
   * Before `oldUser` is deleted, whose address nobody had proven; its owner has signed up as `newUser` instead. What the
   * old one's maker left must not come along unseen. Its address and name are no longer in `oldUser`.
   * Default: `deleted` with the old user.
   */
  handedOver?(tx: Tx, oldUser: AccountUser, newUser: AccountUser): Promise<void>
}

/**
 * What a store throws if a function of `alongside` failed: the app's own error is its `cause`, which the plugin throws in
 * its place.
 */
export class AlongsideError extends Error {
  static {
    markError(AlongsideError, 'AlongsideError')
  }

  override readonly name = 'AlongsideError'

  constructor(call: keyof Alongside<never>, thrown: unknown) {
    // Fastify can't handle an error that is nothing.
    super(`alongside.${call} failed`, { cause: thrown ?? new Error(`alongside.${call} threw nothing`) })
  }
}

/** The functions of `alongside` as a store calls them; absent if the app has none. */
export interface AlongsideCalls<Tx> {
  /** Runs `verified` as well, if the user is created so. Does nothing for users who aren't people. */
  created?: ((tx: Tx, user: StoredUser, deadline: number) => Promise<void>) | undefined
  /** The same. With a successor, the user is handed over. */
  deleted?:
    | ((tx: Tx, user: StoredUser, successor: StoredUser | undefined, deadline: number) => Promise<void>)
    | undefined
  /** For updates; absent without `verified`. */
  verified?:
    | {
        /** Whether these changes may prove an address: only then the store has to read the user before it changes them. */
        isPossible(changes: UserChanges): boolean
        /** Whether an update has proven one, so `run` is called in its transaction. */
        isDue(before: StoredUser, after: StoredUser): boolean
        run(tx: Tx, user: StoredUser, deadline: number): Promise<void>
      }
    | undefined
}

/** Milliseconds that a function may take if the caller set no deadline, as on the command line. */
const patience = 10_000

const names = ['created', 'verified', 'deleted', 'handedOver'] as const

/**
 * For stores: checks the option, and calls its functions as `Alongside` promises. The calls reject with `AlongsideError`;
 * with `UnavailableError` after the deadline, in milliseconds of `performance.now()`; and with errors that are the
 * database's, unchanged.
 * @param isDatabases whether an error says that the store runs the transaction again, or that the database was too slow
 * @throws TypeError of one line that names the option
 */
export function alongsideCalls<Tx>(
  alongside: Alongside<Tx> | undefined,
  isDatabases: (error: unknown) => boolean,
): AlongsideCalls<Tx> {
  if (alongside === undefined) return {}
  check(alongside)
  const { created, verified, deleted, handedOver } = alongside

  async function call(name: keyof Alongside<Tx>, deadline: number, run: () => Promise<void>): Promise<void> {
    try {
      await before(deadline, name, run)
    } catch (error) {
      throw error instanceof LateError || isDatabases(error) ? error : new AlongsideError(name, error)
    }
  }

  const run = async (tx: Tx, user: StoredUser, deadline: number): Promise<void> =>
    call('verified', deadline, async () => verified?.call(alongside, tx, accountUser(user)))

  return {
    created:
      (created ?? verified) &&
      (async (tx, user, deadline) => {
        if (user.kind !== 'person') return
        await call('created', deadline, async () => created?.call(alongside, tx, accountUser(user)))
        if (isKnownOwner(user)) await run(tx, user, deadline)
      }),
    deleted:
      (deleted ?? handedOver) &&
      (async (tx, user, successor, deadline) => {
        if (user.kind !== 'person') return
        if (successor !== undefined && handedOver !== undefined)
          await call('handedOver', deadline, () =>
            handedOver.call(alongside, tx, accountUser(user), accountUser(successor)),
          )
        else await call('deleted', deadline, async () => deleted?.call(alongside, tx, accountUser(user)))
      }),
    verified: verified && {
      isPossible: ({ isVerified, notes, emailKey = null }) =>
        isVerified === true || notes !== undefined || emailKey !== null,
      isDue: hasProven,
      run,
    },
  }
}

function check(alongside: object): void {
  if (typeof alongside !== 'object' || alongside === null)
    throw new TypeError('alongside must be an object of functions')
  for (const [name, value] of Object.entries(alongside)) {
    if (!names.some((each) => each === name)) throw new TypeError(`alongside.${name} is not an option`)
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`alongside.${name} must be a function`)
  }
}

/** Apart from an `UnavailableError` of the app's own, which counts as any error of it. */
class LateError extends UnavailableError {}

/** Gives up after the deadline; the caller then rolls back. */
async function before(deadline: number, name: string, run: () => Promise<void>): Promise<void> {
  const most = Number.isFinite(deadline) ? deadline - performance.now() : patience
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LateError(`alongside.${name} did not finish in time`)),
      Math.max(0, most),
    )
  })
  try {
    await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}
