import type { SessionStore, UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { updatesOf } from './session-store-with-users.js'
import { newSession } from './sessions.js'
import { type Read, userUpdatePathLaws } from './user-store-paths.js'
import { userStoreRaceLaws } from './user-store-races.js'
import { userStoreUpdateLaws } from './user-store-updates.js'

/** The laws of `users.update`, which `withUsers.update` must not break. Without sessions to change, it does the same. */
export const sessionStoreUserUpdateLaws: Laws<SessionStore> = Object.fromEntries(
  Object.keys({ ...userUpdatePathLaws(), ...userStoreUpdateLaws, ...userStoreRaceLaws }).map((name) => [
    `law 18: withUsers.update as update, ${name}`,
    async (store, second) => {
      const users = updatingTogether(store)
      const paths = userUpdatePathLaws({ 'withUsers.find()': readWithSession(store) })
      const laws: Laws<UserStore> = { ...paths, ...userStoreUpdateLaws, ...userStoreRaceLaws }
      await laws[name]?.(users, store === second ? users : updatingTogether(second))
    },
  ]),
)

/** The users, whose `update` is the one that could change sessions as well. */
function updatingTogether({ withUsers }: SessionStore): UserStore {
  const { users, update } = updatesOf(withUsers)
  const together: UserStore['update'] = async (id, changes, version, messages = []) =>
    (await update({ id, version }, changes, {}, messages))?.user ?? null
  // Imports have no part in it.
  return Object.create(users, { update: { value: together }, createMany: { value: undefined } })
}

function readWithSession(store: SessionStore): Read {
  return async (_, { id, credentials, identityKeys, notes }) => {
    const session = newSession({ userId: id })
    await store.create(session)
    const found = await store.withUsers?.find(session.id)
    // It may leave these out.
    return [found?.user && { credentials, identityKeys, notes, ...found.user }]
  }
}
