/** Resolves every import of Kysely to the newer one. */
export function resolve(specifier, context, next) {
  return next(specifier.replace(/^kysely(?=$|\/)/, 'kysely-next'), context)
}
