import { isDeepStrictEqual } from 'node:util'
import { fieldError, invalidInput } from '../../errors.js'
import { toJson } from './validation.js'

/** A body, or a resource as JSON. */
type Fields = Readonly<Record<string, unknown>>

/** What GET shows of what a PATCH changes. */
export interface Resource<Input, Deps> {
  /** The schema of what GET shows. */
  reply: object
  /** The resource; `null` to somebody who can't see it. */
  show(input: Input, deps: Deps): Promise<object | null> | object | null
  /** Whether a body that isn't the whole resource is compared, too. Default: none is. */
  isCompared?(body: Fields): boolean
  /** What the body says, and what of the resource it may repeat. Default: both as they are. */
  compared?(body: Fields, shown: Fields): readonly [body: Fields, shown: Fields]
}

/**
 * The changes of a PATCH. With a read-only field its body repeats what GET shows: then only other values count, and what its schema
 * requires.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT for another value of a read-only field
 */
export async function changesIn<Input extends { body: unknown }, Deps>(
  { properties = {}, required = [] }: { properties?: object; required?: readonly string[] },
  { reply, show, isCompared, compared = (...both) => both }: Resource<Input, Deps>,
  input: Input,
  deps: Deps,
): Promise<unknown> {
  const { body } = input
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { properties: all = {} } = reply as { properties?: object }
  const isFixed = (name: string) => Object.hasOwn(all, name) && !Object.hasOwn(properties, name)
  const isWhole = Object.keys(body).some(isFixed)
  const resource = isWhole || isCompared?.(body as Fields) ? await show(input, deps) : null
  if (resource === null) return body
  const [said, shown] = compared(body as Fields, JSON.parse(toJson(reply, resource)))
  if (!isWhole) return said
  const isChange = ([name, value]: [string, unknown]) =>
    required.includes(name) || !Object.hasOwn(shown, name) || !isDeepStrictEqual(value, shown[name])
  const changes = Object.entries(said).filter(isChange)
  const fixed = changes.filter(([name]) => isFixed(name))
  if (fixed.length === 0) return Object.fromEntries(changes)
  throw invalidInput(...fixed.map(([name]) => fieldError(name, 'read_only')))
}
