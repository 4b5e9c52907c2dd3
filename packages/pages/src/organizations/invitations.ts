import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { nextPage } from '../parts/paging.js'
import { rowButton } from '../parts/row-buttons.js'
import { empty, named, type Row, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { cursorOf, type Listed, type MemberInvitation, type Organization, positionIn, read } from './facts.js'
import { backTo, organizationPage, pathBeside, pathIn } from './organization-page.js'
import { givenRoles, may, mayGive, permissionsOf } from './permissions.js'
import { rolesField, rolesIn, rolesText } from './roles-field.js'

/** The open invitations to an organization. */
export function invitationsPage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'invitations/',
    // To send one again or withdraw it takes a recent login.
    access: 'confirmed',
    needs: ['members:invite', 'members:edit'],
    async view(visit, { refusal }, organization) {
      const { language } = visit.client
      const { organization_pages: own } = language.texts.pages
      const list = await read<Listed<MemberInvitation>>(visit, 'listMemberInvitations', {
        params: { organization: organization.id },
        query: positionIn(visit),
      })
      // It was accepted, declined or withdrawn meanwhile.
      const isGone = refusal?.code === 'ACCOUNTS_NOT_FOUND'
      // The last one of a later page was.
      if (list.results.length === 0 && visit.query.cursor !== undefined)
        return {
          elsewhere: pathIn(site, organization, 'invitations/'),
          ...(isGone && { notice: { tone: 'info' as const, text: own.invitation_gone } }),
        }
      const cursor = cursorOf(list)
      const all = list.results.map((each) => invitationRow(site, visit, organization, each))
      const main = html`${all.length === 0 ? empty(own.no_invitations) : rows(null, all)}
${nextPage(own.next, cursor === null ? null : pathIn(site, organization, 'invitations/', { cursor }))}
${may(organization, 'members:invite') ? linkButton(own.invite, pathIn(site, organization, 'invitations/new/')) : nothing}`
      return {
        ...{ page: 'organization-invitations', kind: 'account', heading: own.invitations, main },
        title: language.say(own.invitations_to, { name: isolated(organization.name) }),
        back: backTo(site, visit, organization),
        notice: isGone ? { tone: 'fault' as const, text: own.invitation_gone } : undefined,
      }
    },
    async act(visit, { invitation = '', change }) {
      const { organization } = visit.params
      const params = { organization, pk: invitation }
      const { organization_pages: own } = visit.client.language.texts.pages
      const isWithdrawn = change === 'withdraw'
      await visit.perform(isWithdrawn ? 'withdrawMemberInvitation' : 'resendMemberInvitation', { params })
      return {
        to: pathBeside(site, visit, 'invitations/', positionIn(visit)),
        notice: isWithdrawn ? own.withdrawn : own.sent_again,
      }
    },
  })
}

/** Invites somebody by email. */
export function invitePage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'invitations/new/',
    access: 'confirmed',
    needs: ['members:invite'],
    view(visit, { typed, faults }, organization) {
      const { say, texts } = visit.client.language
      const { organization_pages: own } = texts.pages
      const roles = givenRoles(site, organization)
      const chosen = Object.keys(typed).length > 0 ? rolesIn(typed) : usualRole(site, roles)
      const main = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${field({ name: 'email', label: own.email, type: 'email', value: typed.email, autocomplete: 'off', faults })}
${rolesField(texts, { roles, chosen, faults })}
${submit(own.send)}
</form>`
      return {
        ...{ page: 'organization-invite', kind: 'account', main },
        heading: say(own.invite_to, { name: isolated(organization.name) }),
        back: { to: pathIn(site, organization, 'invitations/'), label: own.back_to_invitations },
      }
    },
    async act(visit, typed) {
      const { organization } = visit.params
      const { email = '' } = typed
      await visit.perform('inviteMember', {
        params: { organization },
        body: { email: email.trim(), roles: rolesIn(typed) },
      })
      const { say, texts } = visit.client.language
      return {
        to: pathBeside(site, visit, 'invitations/'),
        notice: say(texts.pages.organization_pages.invited, { email: email.trim() }),
      }
    },
  })
}

function invitationRow(
  site: Site,
  visit: PageVisit,
  organization: Organization,
  { id, email, roles, expires_at }: MemberInvitation,
): Row {
  const { language } = visit.client
  const { organization_pages: own } = language.texts.pages
  const until = language.say(own.until, {
    date: language.date(new Date(expires_at), site.core.options.brand.timeZone),
  })
  return {
    label: named(email),
    value: `${rolesText(language, roles)} · ${until}`,
    ...(mayGive(site, organization, roles) && {
      action: html`<form method="post" data-part="actions">
${hidden(byField, visitorOf(visit).id)}
${hidden('invitation', id)}
${rowButton(own.send_again, email, { name: 'change', value: 'send' })}
${rowButton(own.withdraw, email, { name: 'change', value: 'withdraw', kind: 'link' })}
</form>`,
    }),
  }
}

/** What most people are invited to: the role that permits least. */
function usualRole(site: Site, roles: readonly string[]): string[] {
  return roles.toSorted((a, b) => permissionsOf(site, a).length - permissionsOf(site, b).length).slice(0, 1)
}
