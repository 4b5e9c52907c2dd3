import type { AccountUser } from 'fastify-accounts'
import { type Html, html } from '../html.js'
import { roleTexts } from '../roles.js'
import { field } from './fields.js'

interface UserList {
  /** The permissions of the plugin that decide which buttons there are. */
  may: readonly string[]
  search: string
  /** The route where users are made. */
  creation: 'signup' | 'user'
}

/**
 * For staff, and others who may see all users. The search and the page are in the URL, so the back button works.
 */
export function usersPage(user: AccountUser, { may, search, creation }: UserList): Html {
  return html`<h1>Users</h1>
<form method="get" role="search" class="search">
<label for="search">Username or email address starts with</label>
<div class="actions"><input type="search" id="search" name="search" value="${search}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254">
<button type="submit">Search</button>
<button type="button" class="quiet" data-opens="create-dialog" disabled>Add a user</button>
${may.includes('users:invite') ? html`<a class="button quiet" href="invite">Invite</a>` : null}</div>
</form>
<p class="done" role="status" id="told"></p>
<p class="fault" role="alert" id="failed"></p>
<ul class="rows card users" id="user-list" aria-busy="true" data-own-id="${user.id}" data-may="${[...may, ...(user.isStaff ? ['staff'] : [])].join(' ')}"></ul>
<nav class="actions" aria-label="Pages"><a class="button quiet" id="first-page" href="users" hidden>First page</a><a class="button quiet" id="next-page" href="users" hidden>Next page</a></nav>
${createDialog(creation)}
${rolesDialog}
${deleteDialog}`
}

const rolesDialog = html`<dialog id="roles-dialog" aria-labelledby="roles-dialog-heading">
<form method="post">
<h2 id="roles-dialog-heading">Roles of <bdi></bdi></h2>
${Object.entries(roleTexts).map(([role, text]) => html`<p class="check"><input type="checkbox" id="role-${role}" name="roles" value="${role}"><label for="role-${role}"><strong>${role}</strong>: ${text}</label></p>`)}
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Save</button><button type="button" class="quiet" data-closes>Cancel</button></div>
</form>
</dialog>`

const deleteDialog = html`<dialog id="delete-dialog" aria-labelledby="delete-dialog-heading">
<form method="dialog">
<h2 id="delete-dialog-heading">Delete the account <bdi></bdi>?</h2>
<p>This is permanent and can’t be undone. To lock someone out for a while, disable the account.</p>
<div class="actions"><button type="submit" class="danger" value="delete">Delete it</button><button type="button" class="quiet" data-closes data-begins>Keep it</button></div>
</form>
</dialog>`

function createDialog(creation: UserList['creation']): Html {
  return html`<dialog id="create-dialog" aria-labelledby="create-dialog-heading">
<form method="post" data-creation="${creation}">
<h2 id="create-dialog-heading">Add a user</h2>
<p>We’ll email them a link to choose a password.</p>
${field({ name: 'username', label: 'Username', autocomplete: 'off', maxLength: 150 })}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'off', maxLength: 254 })}
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Add</button><button type="button" class="quiet" data-closes>Cancel</button></div>
</form>
</dialog>`
}
