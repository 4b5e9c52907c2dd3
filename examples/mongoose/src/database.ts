import { type ClientSession, type Connection, mongo, type SchemaOptions } from 'mongoose'

export type Transaction = <Result>(run: (session: ClientSession) => Promise<Result>) => Promise<Result>

/** The same function for users and sessions. It needs a replica set. */
export const transactionOn =
  (connection: Connection): Transaction =>
  (run) =>
    connection.transaction(run, { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } })

export const errors = {
  isUniqueViolation: (error: unknown) => error instanceof mongo.MongoServerError && error.code === 11000,
  isRetryable: (error: unknown) =>
    error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError'),
}

// The plugin makes `id` and `version` itself.
export const options = { id: false, versionKey: false } as const satisfies SchemaOptions
export const text = { type: String, required: true } as const
export const textOrNull = { type: String, default: null } as const
export const whole = { type: Number, required: true } as const
export const flag = { type: Boolean, required: true } as const
export const time = { type: Date, required: true } as const
export const timeOrNull = { type: Date, default: null } as const
