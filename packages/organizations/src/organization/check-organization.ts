import type { FieldError } from 'fastify-accounts'
import { fieldError, invalidInput, isPlainText } from 'fastify-accounts/features'

/** The longest name, in UTF-16 units. */
export const longestName = 200
/** 2 to 63 lowercase letters, digits and dashes. */
export const slugForm = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$'

const slugPattern = new RegExp(slugForm)
/** What could continue a name on another line, or show what follows it in another order. */
const unclear = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const visible = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * Checks name and slug, which the app's own code may give unchecked.
 * @param given a missing one isn't checked
 * @param others the faults of what else was given
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkOrganization(
  { name, slug }: { name?: unknown; slug?: unknown },
  others: readonly FieldError[],
): void {
  const faults = [...nameFaults(name), ...slugFaults(slug), ...others]
  if (faults.length > 0) throw invalidInput(...faults)
}

function nameFaults(name: unknown): FieldError[] {
  if (name === undefined) return []
  if (typeof name !== 'string' || !isPlainText(name) || unclear.test(name))
    return [fieldError('name', 'invalid')]
  if (!visible.test(name)) return [fieldError('name', 'required')]
  return name.length > longestName ? [fieldError('name', 'too_long')] : []
}

function slugFaults(slug: unknown): FieldError[] {
  if (slug === undefined || (typeof slug === 'string' && slugPattern.test(slug))) return []
  return [fieldError('slug', 'invalid')]
}
