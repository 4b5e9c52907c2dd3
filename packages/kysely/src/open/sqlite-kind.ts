/**
 * What a statement may do. `other` neither only reads nor can run in a transaction that is begun for it, such as a
 * pragma or a commit.
 */
export type StatementKind = 'read' | 'write' | 'begin' | 'other'

const writes = ['insert', 'update', 'delete', 'replace', 'create', 'alter', 'drop', 'with']

/** Spaces, empty statements and comments, each read in one way only, then the first word. */
const start = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*([a-z]+)/i

/** By the text: Kysely gives drivers nothing else, and the app's own raw SQL has nothing else. */
export function kindOf(sql: string): StatementKind {
  const word = start.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (word === 'select') return 'read'
  if (word === 'begin') return 'begin'
  return writes.includes(word) ? 'write' : 'other'
}
