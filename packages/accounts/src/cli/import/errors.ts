/** The store and features may have their own copy of the library, so their errors may be of different classes. */
export function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name
}
