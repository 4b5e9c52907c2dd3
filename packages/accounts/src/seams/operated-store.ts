import type { TableDescription } from './tables.js'

/** What a store on a database may have for those who operate the app; requests don't need it. */
export interface OperatedStore {
  /** Problems with the database, one line each, which `npx fastify-accounts doctor` shows. Changes nothing. */
  inspect?(): Promise<string[]>

  /** The SQL tables that it needs, which `npx fastify-accounts schema` prints. Asks no database. */
  tables?(): readonly TableDescription[]

  /**
   * Waits for calls in progress, then frees what the store holds. May be called twice; later calls reject.
   * The plugin doesn't call it: the app closes its store in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}
