import { type Html, html } from '../html.js'
import { roleTexts } from '../roles.js'
import { ending, field } from './fields.js'
import { section } from './section.js'

/** For staff, and others who may invite. The list and the actions: web/invite.ts. */
export function invitePage({ mayGrant }: { mayGrant: boolean }): Html {
  return html`<h1>Invitations</h1>
<p class="aside"><a href="users">Back to users</a></p>
${section(
  'invite',
  'Invite someone',
  'We’ll email them a link to create their account, or to accept if they have one.',
  html`<form method="post" id="invite-form">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'off', maxLength: 254 })}
${mayGrant ? roleChoice : null}
${ending('Invite')}
</form>`,
)}
${section('open-invitations', 'Open invitations', 'Nobody has accepted these yet.', list)}`
}

const roleChoice = html`<fieldset>
<legend>Their roles</legend>
${Object.entries(roleTexts).map(([role, text]) => html`<p class="check"><input type="checkbox" id="role-${role}" name="roles" value="${role}"><label for="role-${role}"><strong>${role}</strong>: ${text}</label></p>`)}
</fieldset>`

const list = html`<ul class="rows" id="invitation-list" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<p class="done" role="status"></p>
<nav class="actions" aria-label="Pages"><a class="button quiet" id="next-page" href="invite" hidden>Next page</a></nav>`
