import type { PageRoute } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { isolated } from '../parts/isolated.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { isBecause } from './facts.js'
import { backTo, organizationPage, pathIn } from './organization-page.js'
import { isAlone } from './permissions.js'

/** Asks before somebody leaves; the last owner reads what to do first. */
export function leavePage(site: Site): PageRoute {
  return organizationPage(site, {
    below: 'leave/',
    access: 'logged-in',
    view(visit, { refusal }, organization) {
      const { say, texts } = visit.client.language
      const { frame, organization_pages: own } = texts.pages
      const { name } = organization
      const alone = isAlone(organization)
      const isStuck = alone || isBecause(refusal, 'last_owner')
      const stuck = html`${paragraph(alone ? own.alone_body : own.last_owner_body)}
${alone ? nothing : linkButton(own.choose_owner, pathIn(site, organization, 'members/'))}
${linkButton(own.delete_more, pathIn(site, organization, 'settings/delete/'), alone ? 'primary' : 'quiet')}`
      const form = html`${paragraph(own.leave_body)}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(own.leave, 'danger')}
</form>
${linkButton(frame.cancel, pathIn(site, organization), 'quiet')}`
      return {
        ...{ page: 'organization-leave', kind: 'account', main: isStuck ? stuck : form },
        heading: say(own.leave_heading, { name: isolated(name) }),
        back: backTo(site, visit, organization),
      }
    },
    async act(visit) {
      const { organization } = visit.params
      await visit.perform('leaveOrganization', { params: { organization } })
      const { left } = visit.client.language.texts.pages.organization_pages
      return { to: site.pathOf('/account/organizations/'), notice: left }
    },
  })
}
