/** An object that Fastify or Node.js keeps under a symbol and doesn't expose; `undefined` if there is none. */
export function hiddenIn(app: object, description: string): object | undefined {
  for (let each: object | null = app; each !== null; each = Object.getPrototypeOf(each)) {
    const symbol = Object.getOwnPropertySymbols(each).find((own) => own.description === description)
    const found: unknown = symbol && Reflect.get(each, symbol)
    if (typeof found === 'object' && found !== null) return found
  }
  return undefined
}
