import { hash } from 'node:crypto'

/** The texts of the stores' statements, each with its prepared name once it was needed. */
const names = new Map<string, string | undefined>()

/** Texts that are remembered; stores on their own tables, such as one per tenant, have their own texts. */
const maxTexts = 5000

/** Registers a text as one of the stores' statements. */
export function addStatement(sql: string): void {
  if (!names.has(sql) && names.size < maxTexts) names.set(sql, undefined)
}

/** Which statements a pool prepares, and under which names. */
export interface PreparedNames {
  /** The arguments of pg's `query`, with a name if the statement is to be prepared. */
  named(args: unknown[]): unknown[]
  /** Prepares none from now on. */
  stop(): void
}

/** Most statements that a connection prepares: each keeps a plan on the server. */
const maxPrepared = 200

/** @param which `'stores'` for the statements of the stores, `true` for the app's as well */
export function createPreparedNames(which: boolean | 'stores'): PreparedNames {
  let isOver = which === false
  const prepared = new Set<string>()

  function nameOf(text: string): string | undefined {
    const isOurs = names.has(text)
    if (isOver || (which === 'stores' && !isOurs)) return undefined
    if (!prepared.has(text) && prepared.size >= maxPrepared) return undefined
    prepared.add(text)
    const name = names.get(text) ?? nameFor(text)
    if (isOurs) names.set(text, name)
    return name
  }

  return {
    named(args) {
      const [text, values] = args
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return args
      const name = nameOf(text)
      return name === undefined ? args : [{ name, text, values }]
    },
    stop() {
      isOver = true
    },
  }
}

/** A text has the same name in all processes. They share connections behind a pooler, and none runs another's statement. */
function nameFor(sql: string): string {
  return `accounts_${hash('sha256', sql, 'base64url').slice(0, 22)}`
}
