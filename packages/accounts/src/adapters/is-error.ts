import { types } from 'node:util'

/** Also one of another realm, such as Node.js's own where Jest runs the app. */
export const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || types.isNativeError(thrown)
