/**
 * What a test needs would be a hole in an app that is in use.
 * @throws Error with one line if this process is in production
 */
export function onlyInTests(name: string): void {
  if (process.env.NODE_ENV !== 'production') return
  throw new Error(`${name} of @fastify-accounts/testing is for tests: NODE_ENV must not be production`)
}
