import type { TObject } from '@sinclair/typebox'
import type { FieldsSchema, UserFields } from '../../user.js'
import { changeableOf, type Names, withOptional } from './field-schemas.js'
import { nameChanges } from './schemas.js'

/**
 * The schema of what users may change about themselves: all of it is optional.
 * @param fields your own
 */
export function profileBody(
  fields: FieldsSchema | undefined,
  names: Names,
): TObject & { static: { username?: string | null } & UserFields } {
  const body = withOptional(nameChanges[names], changeableOf(fields))
  return body as TObject & { static: { username?: string | null } & UserFields }
}
