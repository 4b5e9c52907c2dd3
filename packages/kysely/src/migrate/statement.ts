import type { Compilable, RootOperationNode } from 'kysely'

/** A statement that can be run or printed. */
export interface Statement extends Compilable {
  execute(): Promise<unknown>
  toOperationNode(): RootOperationNode
}
