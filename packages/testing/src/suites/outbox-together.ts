import type { UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { check, range } from './checks.js'
import { newMessage } from './messages.js'
import type { WithOutbox } from './outbox-steps.js'
import { newUser } from './users.js'

interface Change {
  run(): Promise<unknown>
  isMade(seen: UserStore): Promise<boolean>
}

/** Each change of a user that takes messages, of a user of its own. */
const changes: Record<string, (store: UserStore, realm: string) => Promise<Change>> = {
  async create(store, realm) {
    const newcomer = newUser()
    return {
      run: () => store.create(newcomer, [newMessage({ realm })]),
      isMade: async (seen) => (await seen.findByUsername(`${newcomer.usernameKey}`)) !== null,
    }
  },
  async update(store, realm) {
    const { id } = await store.create(newUser())
    return {
      run: () => store.update(id, { isStaff: true }, 1, [newMessage({ realm })]),
      isMade: async (seen) => (await seen.findById(id))?.version === 2,
    }
  },
  async delete(store, realm) {
    const { id } = await store.create(newUser())
    return {
      run: () => store.delete(id, [newMessage({ realm })]),
      isMade: async (seen) => (await seen.findById(id)) === null,
    }
  },
}

/** Laws about what others see while a change is made: a crash at that moment would leave the same behind. */
export const outboxTogetherLaws: Laws<WithOutbox> = Object.fromEntries(
  Object.entries(changes).map(([name, prepare]) => [
    `law 18: nobody sees a change without its message: ${name}()`,
    async (first: WithOutbox, second: WithOutbox) => {
      for (const round of range(10)) {
        const realm = `${name} ${round}`
        const { run, isMade } = await prepare(first.store, realm)
        const waiting = async (): Promise<number> => (await second.outbox.count(realm)).waiting
        let isOver = false
        const call = run().finally(() => {
          isOver = true
        })
        while (!isOver) {
          const before = await waiting()
          const isSeen = await isMade(second.store)
          check(isSeen || before === 0, `the message of ${name}() is there before its change`)
          check(!isSeen || (await waiting()) === 1, `the change of ${name}() is there before its message`)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await call
      }
    },
  ]),
)
