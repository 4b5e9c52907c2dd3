import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { goodPassword, testAppOn } from '@fastify-accounts/test-support/app'
import type { Place } from '@fastify-accounts/test-support/databases'
import { connectTo, type Tx, workspacesWith } from '@fastify-accounts/test-support/workspaces'
import type { AccountUser } from 'fastify-accounts'

/** A request that stops for good in the app's own code. */
export interface Halt {
  place: Place
  action: 'create' | 'delete'
  /** Whether the app's own rows have been changed by then. */
  isAfter: boolean
  /** Whom to create or delete. */
  username: string
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Returns once the request has stopped. */
  async halt({ place, action, isAfter, username }: Halt) {
    const db = await connectTo(place)
    let tell = (): void => {}
    const halted = new Promise<void>((resolve) => {
      tell = resolve
    })
    const plain = workspacesWith()
    const halting =
      (change: 'created' | 'deleted') =>
      async (tx: Tx, user: AccountUser): Promise<void> => {
        if (isAfter) await plain[change]?.(tx, user)
        tell()
        await new Promise(() => {})
      }
    const users = createKyselyUserStore({
      db,
      alongside: { created: halting('created'), deleted: halting('deleted') },
    })
    const sessions = createKyselySessionStore({ db, userStore: users })
    const { app } = await testAppOn({ users, sessions }, { throttle: false, adapterTimeout: 600_000 })
    const user = await app.accounts.findUser({ username })
    return async (): Promise<void> => {
      const work =
        action === 'create'
          ? app.accounts.createUser({ username, password: goodPassword })
          : app.accounts.deleteUser(user?.id ?? '')
      await Promise.race([halted, work.then(() => Promise.reject(new Error('it did not stop')))])
    }
  },
}
