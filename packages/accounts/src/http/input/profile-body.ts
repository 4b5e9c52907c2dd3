import type { TObject } from '@sinclair/typebox'
import type { FieldsSchema, UserFields } from '../../user.js'
import { type Names, orNull, withOptional, writableOf } from './field-schemas.js'
import { nameChanges } from './schemas.js'

/**
 * The schema of what users may change about themselves: all of it is optional, and no default may replace a value. `null`
 * removes a field that isn't required, as in a JSON Merge Patch (RFC 7396).
 * @param fields your own
 */
export function profileBody(
  fields: FieldsSchema | undefined,
  names: Names,
): TObject & { static: { username?: string | null } & UserFields } {
  const own = Object.entries(writableOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  const body = withOptional(nameChanges[names], Object.fromEntries(own))
  return body as TObject & { static: { username?: string | null } & UserFields }
}
