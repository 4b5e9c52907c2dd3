import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

/** A node of a syntax tree; its other keys depend on its type. */
export interface Node {
  type: string
  [key: string]: unknown
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const accountsSource = `${root}packages/accounts/src/`

/** The text of a file, given its path from the root of the project. */
export function read(path: string): string {
  return readFileSync(root + path, 'utf8')
}

/** The TypeScript files in packages/accounts/src, as paths relative to it. */
export const accountsFiles = (): string[] => typeScriptIn(accountsSource)

/** The TypeScript files in a folder, at any depth, as paths relative to it. */
export function typeScriptIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

export function parse(code: string, name: string): Node {
  return parseAst(code, { lang: 'ts' }, name) as unknown as Node
}

/** The node and all its descendants. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const each of value) yield* nodesOf(each)
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') yield value as Node
    for (const each of Object.values(value)) yield* nodesOf(each)
  }
}

/** An import or re-export in a file, type imports included. */
export interface Import {
  from: string
  /** Absent from the compiled code. */
  typeOnly: boolean
}

export function importsOf(code: string, name: string): Import[] {
  const imports: Import[] = []
  for (const node of nodesOf(parse(code, name))) {
    const source = node.source as Node | null | undefined
    if (typeof source?.value !== 'string') continue
    const kind = node.importKind ?? node.exportKind
    const typeOnly = kind === 'type' || node.type === 'TSImportType' || onlyTypes(node.specifiers)
    imports.push({ from: source.value, typeOnly })
  }
  return imports
}

function onlyTypes(specifiers: unknown): boolean {
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false
  return specifiers.every((each: Node) => (each.importKind ?? each.exportKind) === 'type')
}
