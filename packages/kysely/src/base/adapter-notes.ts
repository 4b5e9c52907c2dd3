import type { Database } from './database.js'

/** Notes about a database beyond what Kysely knows. */
export interface AdapterNotes<Note extends object> {
  /** Attaches the note to every database of this dialect. */
  leave<Dialect extends { createAdapter(): object }>(dialect: Dialect, note: Note): Dialect
  /** `undefined` if its dialect was not passed to `leave`. */
  of(db: Database): Note | undefined
}

/** Keyed by the adapter that a Kysely shares with its transactions and copies. */
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
