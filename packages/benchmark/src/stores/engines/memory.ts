import { createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
import type { Engine } from '../engine.js'
import { person } from '../people.js'

/** The stores in memory. There is no driver to compare them with. */
export async function openMemory(): Promise<Engine> {
  const users = createMemoryUserStore()
  const sessions = createMemorySessionStore()
  const ids: string[] = []
  return {
    versions: [],
    users: {
      store: users,
      async load(from, to) {
        for (let at = from; at < to; at++) ids[at] = (await users.create(person(at))).id
      },
      idOf: (at) => ids[at] ?? '',
    },
    sessions: {
      store: sessions,
      async load(made) {
        for (const session of made) await sessions.create(session)
      },
    },
    settle: async () => {},
    drop: async () => {},
  }
}
