/** The store and the features may bring their own copy of the library, so that its errors are of other classes than ours. */
export function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name
}
