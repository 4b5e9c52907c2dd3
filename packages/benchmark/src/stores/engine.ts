import type { NewUser, Session, SessionStore, UserPosition, UserStore } from 'fastify-accounts'

/** A value, at once or later: some drivers block, others do not. */
type Soon<T> = T | Promise<T>

/**
 * What a user store needs from its database, handwritten on the driver: the same table, columns and statements, with
 * parameters, and rows as the driver returns them. No checks, no copies, no typed errors, no retries.
 */
export interface BareUsers {
  findById(id: string): Soon<unknown>
  findByUsername(usernameKey: string): Soon<unknown>
  create(user: NewUser): Soon<unknown>
  /** The new row; `undefined` if the version was another one. */
  noteLogin(id: string, lastLoginAt: Date, expectedVersion: number): Soon<unknown>
  list(limit: number, after?: UserPosition): Soon<readonly unknown[]>
}

/** The same for a session store. */
export interface BareSessions {
  find(id: string): Soon<unknown>
  create(session: Session): Soon<unknown>
  /** How many it found. */
  touch(session: Session): Soon<number>
  /** How many it ended. */
  deleteByUser(userId: string): Soon<number>
}

/** One engine, with its own database. */
export interface Engine {
  /** Engine and driver with their versions. */
  versions: string[]
  users?: {
    store: UserStore
    bare?: BareUsers
    /** Creates persons `from` to `to`, excluding `to`; bypasses the store if there is a faster way. */
    load(from: number, to: number): Promise<void>
    /** The id under which person number `at` was loaded. */
    idOf(at: number): string
  }
  sessions: {
    store: SessionStore
    bare?: BareSessions
    load(sessions: readonly Session[]): Promise<void>
  }
  /** After loading: what the engine needs to plan its queries well. */
  settle(): Promise<void>
  /** Closes the connections and drops the database. */
  drop(): Promise<void>
}
