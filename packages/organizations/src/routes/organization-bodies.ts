import { isDeepStrictEqual } from 'node:util'
import type { TObject, TProperties } from '@sinclair/typebox'
import type { FieldsSchema } from 'fastify-accounts'
import { changeableOf, writableOf } from 'fastify-accounts/features'
import { newOrganizationBody, organizationChangesBody } from '../schemas.js'
import type { Settings } from '../settings.js'
import type { Organization } from '../store/organization-store.js'

type WithFields<Body extends TObject> = TObject & {
  static: Body['static'] & { fields?: Organization['fields'] }
}

/** The body of a new organization: your own fields are in `fields`, and required as their schema says. */
export function newBody({ fields }: Settings): WithFields<typeof newOrganizationBody> {
  const properties = writableOf(fields)
  const required = (fields?.required ?? []).filter((name) => Object.hasOwn(properties, name))
  return withFields(newOrganizationBody, properties, required)
}

/** The body of a change: all of it is optional. */
export function changesBody({ fields }: Settings): WithFields<typeof organizationChangesBody> {
  return withFields(organizationChangesBody, changeableOf(fields), [])
}

type Fields = Readonly<Record<string, unknown>>

/** A body that repeats own fields as GET shows them changes only the others: some of them may be read-only. */
export function withoutSameFields(body: Fields, shown: Fields): readonly [body: Fields, shown: Fields] {
  const { fields } = body
  if (typeof fields !== 'object' || fields === null) return [body, shown]
  const before = shown.fields as Fields
  const changed = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
  return [{ ...body, fields: changed.length === 0 ? before : Object.fromEntries(changed) }, shown]
}

function withFields<Body extends TObject>(
  body: Body,
  properties: FieldsSchema['properties'],
  required: readonly string[],
): WithFields<Body> {
  if (Object.keys(properties).length === 0) return body as unknown as WithFields<Body>
  const fields = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    description: 'Custom fields',
  }
  const all = {
    ...body,
    properties: { ...body.properties, fields } as unknown as TProperties,
    required: [...(body.required ?? []), ...(required.length > 0 ? ['fields'] : [])],
  }
  return all as unknown as WithFields<Body>
}
