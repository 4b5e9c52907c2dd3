import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, type FormState } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import type { Notice, View } from '../view.js'
import { visitorOf } from '../visitor.js'
import { isBecause, type Listed, type Member, nameOf, type Organization, positionIn, read } from './facts.js'
import { memberPath } from './members.js'
import { organizationPage, pathBeside, pathIn } from './organization-page.js'
import { givenRoles, mayGive } from './permissions.js'
import { rolesField, rolesIn } from './roles-field.js'

const needs = ['members:edit']

/** Changes the roles of a member. */
export function memberPage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'members/:user/',
    access: 'confirmed',
    needs,
    async view(visit, { typed, faults, refusal }, organization) {
      const { language } = visit.client
      const { organization_pages: own } = language.texts.pages
      const member = await findMember(visit, organization)
      if (member === null || !mayGive(site, organization, member.roles))
        return unreachable(site, visit, organization, member)
      const chosen = Object.keys(typed).length > 0 ? rolesIn(typed) : member.roles
      const form = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${rolesField(language.texts, { roles: givenRoles(site, organization), chosen, faults })}
${submit(own.save)}
</form>
${linkButton(own.remove_more, memberPath(site, organization, member, visit, 'remove/'), 'quiet')}`
      return {
        ...{ page: 'organization-member', kind: 'account', heading: nameOf(member), main: form },
        back: backToMembers(site, visit, organization),
        notice: lastOwner(site, visit, organization, refusal),
      }
    },
    async act(visit, typed) {
      const { organization, user } = visit.params
      await visit.perform('changeMemberRoles', {
        params: { organization, user },
        body: { roles: rolesIn(typed) },
      })
      const { roles_changed } = visit.client.language.texts.pages.organization_pages
      // Who takes their own roles may not see the members' pages anymore.
      const below = user === visitorOf(visit).id ? '' : 'members/'
      const query = below === '' ? {} : positionIn(visit)
      return { to: pathBeside(site, visit, below, query), notice: roles_changed }
    },
  })
}

/** Asks before it removes a member. */
export function removeMemberPage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'members/:user/remove/',
    access: 'confirmed',
    needs,
    async view(visit, { refusal }, organization) {
      const { say, texts } = visit.client.language
      const { frame, organization_pages: own } = texts.pages
      const member = await findMember(visit, organization)
      if (member === null || !mayGive(site, organization, member.roles))
        return unreachable(site, visit, organization, member)
      const main = html`${paragraph(say(own.remove_body, { name: isolated(organization.name) }))}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(own.remove, 'danger')}
</form>
${linkButton(frame.cancel, memberPath(site, organization, member, visit), 'quiet')}`
      return {
        ...{ page: 'organization-member-remove', kind: 'account', main },
        heading: say(own.remove_heading, { name: isolated(nameOf(member)) }),
        back: backToMembers(site, visit, organization),
        notice: lastOwner(site, visit, organization, refusal),
      }
    },
    async act(visit) {
      const { organization, user } = visit.params
      await visit.perform('removeMember', { params: { organization, user } })
      const { removed } = visit.client.language.texts.pages.organization_pages
      const isSelf = user === visitorOf(visit).id
      const to = isSelf ? site.pathOf('/account/organizations/') : pathBeside(site, visit, 'members/')
      return { to, notice: removed }
    },
  })
}

/** The member of the path, where the list has shown them; `null` if they aren't there anymore. */
async function findMember(visit: PageVisit, { id }: Organization): Promise<Member | null> {
  const { results } = await read<Listed<Member>>(visit, 'listMembers', {
    params: { organization: id },
    query: positionIn(visit),
  })
  return results.find(({ user_id }) => user_id === visit.params.user) ?? null
}

/** Somebody who has left, or may do more than the visitor. */
function unreachable(site: Site, visit: PageVisit, organization: Organization, member: Member | null): View {
  const { organization_pages: own } = visit.client.language.texts.pages
  const heading = member === null ? own.no_member : nameOf(member)
  const main = html`${member === null ? nothing : paragraph(own.may_do_more)}
${linkButton(own.all_members, pathIn(site, organization, 'members/'))}`
  return {
    ...{ page: 'organization-member-missing', kind: 'account', heading, main },
    status: member === null ? 404 : 403,
  }
}

function backToMembers(site: Site, visit: PageVisit, organization: Organization): NonNullable<View['back']> {
  const { back_to_members } = visit.client.language.texts.pages.organization_pages
  return { to: pathIn(site, organization, 'members/', positionIn(visit)), label: back_to_members }
}

/** The last owner stays one: what can be done about it. */
function lastOwner(
  site: Site,
  { client: { language } }: PageVisit,
  organization: Organization,
  refusal: FormState['refusal'],
): Notice | undefined {
  if (refusal === null || !isBecause(refusal, 'last_owner')) return undefined
  const { all_members } = language.texts.pages.organization_pages
  const text = html`${refusal.message} <a href="${pathIn(site, organization, 'members/')}">${all_members}</a>`
  return { tone: 'fault', text }
}
