import type { FieldError } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'
import { type Html, html, trusted } from '../html.js'
import { below, checkbox } from '../parts/fields.js'
import type { Typed } from '../typed.js'

type Texts = Client['language']['texts']

/** A role as people read it: ours are translated, others are the app's own names. */
function roleName({ pages }: Texts, role: string): string {
  const { roles } = pages.organization_pages
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : role
}

export const rolesText = ({ list, texts }: Client['language'], roles: readonly string[]): string =>
  roles.length === 0
    ? texts.pages.organization_pages.no_role
    : list(roles.map((role) => roleName(texts, role)))

const prefix = 'role.'

/** Boxes, one for each role. */
export function rolesField(
  texts: Texts,
  {
    roles,
    chosen,
    faults,
  }: { roles: readonly string[]; chosen: readonly string[]; faults: readonly FieldError[] },
): Html {
  const fault = faults.find(({ field }) => field === 'roles')
  const described = fault === undefined ? '' : ' aria-describedby="roles-fault"'
  return html`<fieldset data-part="field" id="roles" tabindex="-1"${trusted(described)}>
<legend>${texts.pages.organization_pages.roles_label}</legend>
${roles.map((role) => checkbox({ name: prefix + role, label: roleName(texts, role), isChecked: chosen.includes(role) }))}
${below('roles', undefined, fault)}
</fieldset>`
}

/** The roles whose boxes are ticked. */
export const rolesIn = (typed: Typed): string[] =>
  Object.entries(typed).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== '' ? [name.slice(prefix.length)] : [],
  )
