import type { Language, OwnField } from './own-field.js'

/** The value of an own field, as people read it; `null` if there is none. */
export function shownValue(
  { choices }: Pick<OwnField, 'choices'>,
  value: unknown,
  { texts }: Language,
): string | null {
  const { yes, no } = texts.pages.organization_pages
  const chosen = choices.find(({ json }) => json === value)
  if (chosen !== undefined) return chosen.label
  if (typeof value === 'boolean') return value ? yes : no
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null
}
