import type { Database } from './database.js'

/** What is known of a database beside what Kysely knows. */
export interface AdapterNotes<Note extends object> {
  /** The dialect, whose databases have this note from now on. */
  leave<Dialect extends { createAdapter(): object }>(dialect: Dialect, note: Note): Dialect
  /** `undefined` where its dialect was not handed to `leave`. */
  of(db: Database): Note | undefined
}

/** By the adapter that a Kysely shares with its transactions and copies. */
export function createAdapterNotes<Note extends object>(): AdapterNotes<Note> {
  const notes = new WeakMap<object, Note>()
  return {
    leave(dialect, note) {
      const createAdapter = dialect.createAdapter.bind(dialect)
      dialect.createAdapter = () => {
        const adapter = createAdapter()
        notes.set(adapter, note)
        return adapter
      }
      return dialect
    },
    of: (db) => notes.get(db.getExecutor().adapter),
  }
}
