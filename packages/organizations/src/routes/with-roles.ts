import type { TArray, TObject, TProperties, TString } from '@sinclair/typebox'
import type { Settings } from '../settings.js'

/** A body whose roles are those of the option: others are an error of the field, and OpenAPI lists them. */
export function withRoles<Body extends TObject<TProperties & { roles: TArray<TString> }>>(
  body: Body,
  { roles }: Pick<Settings, 'roles'>,
): Body {
  const { properties } = body
  const items = { ...properties.roles.items, enum: Object.keys(roles) }
  return { ...body, properties: { ...properties, roles: { ...properties.roles, items } } }
}
