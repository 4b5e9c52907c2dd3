import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { accountUser } from 'fastify-accounts/features'
import { byField, type FormState, formPage } from '../form-page.js'
import { type Html, html, nothing } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { hint } from '../parts/notes.js'
import { nextPage } from '../parts/paging.js'
import { rowButton } from '../parts/row-buttons.js'
import { empty, named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import type { Notice } from '../view.js'
import { visitorOf } from '../visitor.js'
import {
  cursorOf,
  factsOf,
  type Listed,
  type OwnInvitation,
  type OwnOrganization,
  positionIn,
  read,
} from './facts.js'
import { pathIn } from './organization-page.js'
import { rolesText } from './roles-field.js'

/** The visitor's organizations, and the invitations that wait for them. */
export function ownOrganizationsPage(site: Site): PageRoute {
  const path = '/account/organizations/'
  return formPage(site, {
    path,
    access: 'logged-in',
    async view(visit, { refusal }) {
      const { frame, organization_pages: own } = visit.client.language.texts.pages
      const mine = await read<Listed<OwnOrganization>>(visit, 'listOwnOrganizations', {
        query: positionIn(visit),
      })
      const { query } = visit
      // Those of a later page are left or deleted.
      if (mine.results.length === 0 && query.cursor !== undefined && refusal === null)
        return { elsewhere: site.pathOf(path) }
      const waiting = await read<Listed<OwnInvitation>>(visit, 'listOwnInvitations', {
        query: typeof query.invitations === 'string' ? { cursor: query.invitations } : {},
      })
      const cursor = cursorOf(mine)
      const invitations = cursorOf(waiting)
      const main = html`${waiting.results.length === 0 ? nothing : rows(own.invitations, waiting.results.map(invitationRow(visit)))}
${nextPage(own.more_invitations, invitations === null ? null : site.pathOf(path, { invitations }))}
${mine.results.length === 0 ? empty(own.none) : rows(waiting.results.length === 0 ? null : own.yours, mine.results.map(organizationRow(site, visit)))}
${nextPage(own.next, cursor === null ? null : site.pathOf(path, { cursor }))}
${await creation(site, visit)}`
      return {
        ...{ page: 'organizations', kind: 'account', heading: own.heading, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
        notice: gone(visit, refusal),
      }
    },
    async act(visit, { invitation = '', answer }) {
      const { say, texts } = visit.client.language
      const { organization_pages: own } = texts.pages
      const params = { pk: invitation }
      if (answer === 'decline') {
        await visit.perform('declineInvitation', { params })
        return { to: site.pathOf(path), notice: own.declined }
      }
      const joined = await read<OwnOrganization>(visit, 'acceptOwnInvitation', { params })
      return { to: pathIn(site, joined), notice: say(own.joined, { name: isolated(joined.name) }) }
    },
  })
}

const organizationRow =
  (site: Site, { client: { language } }: PageVisit) =>
  (organization: OwnOrganization): Row => {
    const { name, roles } = organization
    const { open } = language.texts.pages.organization_pages
    return {
      label: named(name),
      value: rolesText(language, roles),
      action: rowLink(open, name, pathIn(site, organization)),
    }
  }

const invitationRow =
  (visit: PageVisit) =>
  ({ id, organization: { name }, roles, invited_by }: OwnInvitation): Row => {
    const { language } = visit.client
    const { accept, decline, from } = language.texts.pages.organization_pages
    const inviter = invited_by === null ? nothing : html` · ${from} ${named(invited_by)}`
    return {
      label: named(name),
      value: html`${rolesText(language, roles)}${inviter}`,
      action: html`<form method="post" data-part="actions">
${hidden(byField, visitorOf(visit).id)}
${hidden('invitation', id)}
${rowButton(accept, name, { name: 'answer', value: 'accept' })}
${rowButton(decline, name, { name: 'answer', value: 'decline', kind: 'link' })}
</form>`,
    }
  }

/** The way to a new one, for those who may. */
async function creation(site: Site, visit: PageVisit): Promise<Html> {
  const user = visitorOf(visit)
  const { organization_pages: own } = visit.client.language.texts.pages
  const mayCreate = await factsOf(site).mayCreate(accountUser(user))
  if (!mayCreate) return nothing
  if (user.isVerified) return linkButton(own.create, site.pathOf('/account/organizations/new/'))
  return html`${hint(own.unverified)}
${linkButton(own.verify, site.pathOf('/account/email/'), 'quiet')}`
}

/** Somebody has withdrawn it meanwhile. */
function gone({ client }: PageVisit, refusal: FormState['refusal']): Notice | undefined {
  if (refusal?.code !== 'ACCOUNTS_NOT_FOUND') return undefined
  return { tone: 'fault', text: client.language.texts.pages.organization_pages.invitation_gone }
}
