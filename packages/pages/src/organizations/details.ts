import { AccountsError, type FieldError, type FieldsSchema } from 'fastify-accounts'
import { type Client, compileFields } from 'fastify-accounts/features'
import type { FormState } from '../form-page.js'
import { type Html, html } from '../html.js'
import { field } from '../parts/fields.js'
import { ownFields, valuesOf } from '../parts/own-fields.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { factsOf, isBecause, type Organization } from './facts.js'

type Language = Client['language']

/** Own fields of organizations; `name` and `slug` are fields of the form already. */
export function schemaOf(site: Site): FieldsSchema | undefined {
  const { fields } = factsOf(site)
  if (fields === undefined) return undefined
  const { name: _name, slug: _slug, ...properties } = fields.properties
  const required = fields.required?.filter((name) => Object.hasOwn(properties, name))
  return { ...fields, properties, required }
}

/** Name, slug and own fields of an organization. */
export function detailFields(
  site: Site,
  language: Language,
  { typed, faults }: Pick<FormState, 'typed' | 'faults'>,
  organization?: Organization,
): Html {
  const { organization_pages: own } = language.texts.pages
  return html`${field({ name: 'name', label: own.name, value: typed.name ?? organization?.name, autocomplete: 'organization', maxLength: 200, faults })}
${field({ name: 'slug', label: own.slug, value: typed.slug ?? organization?.slug, hint: own.slug_hint, autocomplete: 'off', maxLength: 63, faults })}
${ownFields(schemaOf(site), { typed, faults }, language, organization?.fields)}`
}

/** The body of the operation, as it was typed. */
export function detailsIn(
  site: Site,
  language: Language,
  typed: Typed,
  change: 'new' | 'changed',
): { name: string; slug: string; fields?: Record<string, unknown> } {
  const { name = '', slug = '' } = typed
  const schema = schemaOf(site)
  const base = { name, slug: slug.trim() }
  if (schema === undefined) return base
  return { ...base, fields: valuesOf(schema, typed, language, change === 'new' ? undefined : null) }
}

/**
 * Runs it, and tells faults by their fields of the form.
 * @param body as `detailsIn` has made it
 */
export async function withFieldFaults<Result>(
  site: Site,
  { texts }: Language,
  { fields = {} }: Pick<ReturnType<typeof detailsIn>, 'fields'>,
  change: 'new' | 'changed',
  run: () => Promise<Result>,
): Promise<Result> {
  const { slug_hint, slug_taken } = texts.pages.organization_pages
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AccountsError)) throw error
    if (isBecause(error, 'slug_taken'))
      throw faulty([{ field: 'slug', code: 'invalid', message: slug_taken }])
    const schema = schemaOf(site)
    const faults = (error.fields ?? []).flatMap((fault): FieldError[] => {
      if (fault.field === 'slug' && fault.code === 'invalid') return [{ ...fault, message: slug_hint }]
      if (fault.field !== 'fields' || schema === undefined) return [fault]
      // A change leaves out what no form asks for.
      const required =
        change === 'new' ? schema.required : schema.required?.filter((name) => fields[name] === null)
      const inside = faultsInside({ ...schema, required }, texts, fields)
      return inside.length === 0 ? [fault] : inside
    })
    throw faults.length === 0 ? error : faulty(faults)
  }
}

/** Which of the own fields are at fault: the operation tells that some are. `null` removes a field, which is no fault. */
function faultsInside(
  schema: FieldsSchema,
  { fields: messages }: Language['texts'],
  values: Readonly<Record<string, unknown>>,
): FieldError[] {
  const typed = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return compileFields(schema)(typed).map((fault) => ({ ...fault, message: messages[fault.code] }))
}

const faulty = (fields: FieldError[]): AccountsError =>
  new AccountsError('ACCOUNTS_INVALID_INPUT', { fields })
