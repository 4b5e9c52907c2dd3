import type { AccountUser } from 'fastify-accounts'
import { type Html, html } from '../html.js'
import { memberRoleTexts } from '../organizations.js'
import { confirmation, section } from './account.js'
import type { PageSettings } from './entrance.js'
import { ending, field } from './fields.js'

/** What the user belongs to, and is invited to. The lists and the actions: web/my-organizations.ts. */
export function ownOrganizationsPage(user: AccountUser, settings: PageSettings): Html {
  return html`<h1>Organizations</h1>
<p class="aside"><a href="account">Back to your account</a></p>
${section('own-organizations', 'Your organizations', 'Where you’re a member.', rows('organization-list'))}
${section('own-invitations', 'Invitations', 'From people who want you to join them.', rows('own-invitation-list'))}
${section(
  'create-organization',
  'Create an organization',
  'You’ll be its owner. Your email address must be confirmed.',
  html`<form method="post" id="organization-form">
${field({ name: 'name', label: 'Name', autocomplete: 'off', maxLength: 200 })}
${field({ name: 'slug', label: 'Short name', autocomplete: 'off', maxLength: 63, hint: 'In addresses: lowercase letters, digits and dashes.' })}
${ending('Create')}
</form>`,
)}
${confirmation(user, settings)}`
}

/** One organization, for its members. What they may do there decides which parts are shown: web/organization.ts. */
export function organizationPage(user: AccountUser, settings: PageSettings): Html {
  return html`<h1 id="organization-name" data-own-id="${user.id}">Organization</h1>
<p class="aside"><a href="my-organizations">All organizations</a></p>
${section(
  'members',
  'Members',
  'Who belongs to it, with their roles.',
  html`${rows('member-list')}
<nav class="actions" aria-label="Pages"><a class="button quiet" id="next-page" href="organization" hidden>Next page</a></nav>`,
)}
<div id="inviting" hidden>
${section(
  'invite',
  'Invite someone',
  'We’ll email them a link. They join once they accept.',
  html`<form method="post" id="invite-form">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'off', maxLength: 254 })}
${roleChoice('new-role', 'member')}
${ending('Invite')}
</form>`,
)}
${section('open-invitations', 'Open invitations', 'Nobody has accepted these yet.', rows('invitation-list'))}
</div>
${section(
  'leave',
  'Leave',
  'You’ll lose access at once.',
  html`<p class="fault" role="alert"></p>
<div class="actions"><button type="button" class="quiet" id="leave-organization" disabled>Leave the organization</button><button type="button" class="danger" id="delete-organization" hidden disabled>Delete the organization</button></div>
<p class="done" role="status"></p>`,
)}
${rolesDialog}
${confirmation(user, settings)}`
}

const rows = (id: string): Html => html`<ul class="rows" id="${id}" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<p class="done" role="status"></p>`

function roleChoice(prefix: string, chosen?: string): Html {
  return html`<fieldset>
<legend>Their roles</legend>
${Object.entries(memberRoleTexts).map(
  ([role, text]) =>
    html`<p class="check"><input type="checkbox" id="${prefix}-${role}" name="roles" value="${role}"${role === chosen ? html` checked` : null}><label for="${prefix}-${role}"><strong>${role}</strong>: ${text}</label></p>`,
)}
</fieldset>`
}

const rolesDialog = html`<dialog id="roles-dialog" aria-labelledby="roles-dialog-heading">
<form method="post">
<h2 id="roles-dialog-heading">Roles of <bdi></bdi></h2>
${roleChoice('role')}
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Save</button><button type="button" class="quiet" data-closes>Cancel</button></div>
</form>
</dialog>`
