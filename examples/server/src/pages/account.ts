import type { AccountUser } from 'fastify-accounts'
import { scopes } from '../api.js'
import { type Html, html } from '../html.js'
import { languageNames, type OwnFields } from '../own-fields.js'
import { newPassword, type PageSettings } from './entrance.js'
import { codeField, ending, field, otherFactors, recoveryCodeField } from './fields.js'

/** The user's own account. The HTML contains the data; web/account.ts performs the actions. */
export function accountPage(user: AccountUser<OwnFields>, settings: PageSettings): Html {
  return html`<h1>Your account</h1>
<p class="done" id="removed-notice" role="status" hidden>Securing your account removed <span id="removed-list"></span> (<span id="removed-at"></span>). If any of it was yours, set it up again: <a href="#passkeys">passkeys</a>, <a href="#second-factor">two-step verification</a>.</p>
${[
  section('profile', 'Profile', 'Your username, and the name others see.', profileForm(user, settings)),
  section(
    'address',
    'Email address',
    'We use it to reset your password and to tell you about changes to your account.',
    emailForm(user, settings),
  ),
  section(
    'change-password',
    'Password',
    'Changing it logs out all your other devices.',
    passwordForm(user, settings),
  ),
  section(
    'passkeys',
    'Passkeys',
    'Log in with your fingerprint, your face or your device’s PIN. There’s no password to remember or steal.',
    settings.passkeys ? passkeyList(settings) : noPasskeys(settings),
  ),
  ...(settings.providers.length === 0
    ? []
    : [
        section(
          'identities',
          'Linked logins',
          'Accounts elsewhere that you can log in with.',
          identities(settings),
        ),
      ]),
  section(
    'second-factor',
    'Two-step verification',
    settings.passkeys
      ? 'A code from an app, a passkey or a security key, in addition to your password.'
      : 'A code from an app, in addition to your password.',
    secondFactor(settings),
  ),
  section(
    'devices',
    'Devices',
    'Where you’re logged in. Log out any device you don’t recognize, then change your password.',
    devices,
  ),
  section(
    'api-keys',
    'API keys',
    'For programs that use your account without you, as far as each key allows.',
    apiKeys,
  ),
  ...(settings.creation === null
    ? []
    : [
        section(
          'organizations',
          'Organizations',
          'Companies and teams that you belong to, or are invited to.',
          html`<div class="actions"><a class="button quiet" href="my-organizations">Your organizations</a></div>`,
        ),
      ]),
  section(
    'activity',
    'Recent activity',
    'What happened on your account. If you don’t recognize something, change your password.',
    activity,
  ),
  section('your-data', 'Your data', 'Everything that we keep about you, as one file.', ownData),
  section('delete', 'Delete account', 'This is permanent and can’t be undone.', deletion(user)),
]}
${confirmation(user, settings)}`
}

/** A part of a page: its heading and what it is for beside a card. */
export function section(id: string, heading: string, text: string, body: Html): Html {
  return html`<section class="part" id="${id}" aria-labelledby="${id}-heading">
<div class="about"><h2 id="${id}-heading" tabindex="-1">${heading}</h2><p>${text}</p></div>
<div class="card">${body}</div>
</section>`
}

function profileForm(user: AccountUser<OwnFields>, { creation }: PageSettings): Html {
  return html`${user.roles.length === 0 ? null : html`<p id="own-roles">Your roles: ${user.roles.map((role) => html`<span class="badge good">${role}</span> `)}</p>`}
<form method="post" id="profile-form">
${field({ name: 'username', label: 'Username', autocomplete: 'username', value: user.username ?? '', maxLength: 150 })}
${creation === null ? null : ownFieldsOf(user)}
${ending('Save')}
</form>`
}

/** Absent without the users routes, which declare the fields. */
function ownFieldsOf({ fields }: AccountUser<OwnFields>): Html {
  return html`${field({ name: 'display_name', label: 'Display name', autocomplete: 'name', value: fields.display_name ?? '', required: false, maxLength: 80 })}
<div class="field">
<label for="locale">Language of emails</label>
<select id="locale" name="locale" aria-describedby="locale-fault">
${Object.entries(languageNames).map(([tag, name]) => html`<option value="${tag}"${(fields.locale ?? 'en') === tag ? html` selected` : null}>${name}</option>`)}
</select>
<p class="fault" id="locale-fault"></p>
</div>`
}

function emailForm({ email, isVerified }: AccountUser<OwnFields>, { creation }: PageSettings): Html {
  const state = isVerified
    ? html`<span class="badge good">Confirmed</span>`
    : html`<span class="badge">Not confirmed</span>`
  return html`${email === null ? html`<p>You haven’t added one yet.</p>` : html`<p><strong id="current-email"><bdi>${email}</bdi></strong> ${state}</p>`}
${
  email === null || isVerified || creation === null
    ? null
    : html`<form method="post" id="confirm-address" data-creation="${creation}">
<input type="hidden" name="email" value="${email}">
${ending('Send confirmation email', { quiet: true })}
</form>`
}
<form method="post" id="email-form">
${field({ name: 'email', label: 'New email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Change email address')}
</form>`
}

/** Also for setting a first password: web/account.ts shows the right parts. */
function passwordForm(
  { username, hasPassword, email, isVerified }: AccountUser<OwnFields>,
  { passwordMinLength }: PageSettings,
): Html {
  return html`<form method="post" id="password-form" data-has-password="${hasPassword ? 'yes' : 'no'}" data-takes-codes="${email !== null && isVerified ? 'yes' : 'no'}">
<p id="no-password"${hasPassword ? html` hidden` : null}>Your account has no password.</p>
<input type="text" autocomplete="username" value="${username ?? ''}" readonly hidden>
<fieldset id="old-password"${hasPassword ? null : html` hidden disabled`}>${field({ name: 'old_password', label: 'Current password', type: 'password', autocomplete: 'current-password' })}</fieldset>
${newPassword({ name: 'new_password', label: 'New password', passwordMinLength })}
${ending(hasPassword ? 'Change password' : 'Set password', { other: html`<button type="button" class="quiet" id="remove-password" hidden>Remove password</button>` })}
</form>`
}

/** The list and its actions: web/passkeys.ts. */
function passkeyList({ baseUrl }: PageSettings): Html {
  return html`<ul class="rows" id="passkey-list" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<div class="actions"><button type="button" id="add-passkey" data-passkey="${baseUrl}" disabled>Add a passkey</button></div>
<p class="done" role="status"></p>
<dialog id="rename-dialog" aria-labelledby="rename-dialog-heading">
<form method="post">
<h2 id="rename-dialog-heading">Rename the passkey</h2>
${field({ name: 'name', id: 'passkey-name', label: 'Name', autocomplete: 'off', maxLength: 100, hint: 'For example, the device it’s on.' })}
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Save</button><button type="button" class="quiet" data-closes>Cancel</button></div>
</form>
</dialog>
<dialog id="remove-dialog" aria-labelledby="remove-dialog-heading">
<form method="dialog">
<h2 id="remove-dialog-heading">Remove the passkey <bdi></bdi>?</h2>
<p>You’ll no longer be able to log in with this passkey.</p>
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit" class="danger" value="remove">Remove it</button><button type="button" class="quiet" data-closes data-begins>Keep it</button></div>
</form>
</dialog>`
}

function noPasskeys({ baseUrl }: PageSettings): Html {
  return html`<p>This app is served at <strong>${baseUrl}</strong>, where browsers don’t support passkeys. They need a domain with https, or localhost. The setting is BASE_URL.</p>`
}

/** The list and its actions: web/identities.ts. */
function identities({ providers }: PageSettings): Html {
  return html`<ul class="rows" id="identity-list" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<div class="actions">${providers.map(({ name, label }) => html`<button type="button" class="quiet" data-provider="${name}" data-label="${label}" disabled>Link ${label}</button>`)}</div>
<p class="done" role="status"></p>
<dialog id="unlink-dialog" aria-labelledby="unlink-dialog-heading">
<form method="dialog">
<h2 id="unlink-dialog-heading">Unlink <bdi></bdi>?</h2>
<p>You’ll no longer be able to log in with it. You can link it again at any time.</p>
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit" class="danger" value="unlink">Unlink it</button><button type="button" class="quiet" data-closes data-begins>Keep it</button></div>
</form>
</dialog>`
}

/** web/second-factor.ts shows the parts that apply, depending on whether a factor is on. */
function secondFactor({ passkeys }: PageSettings): Html {
  return html`<p id="factor-state" aria-busy="true">…</p>
<ul class="rows" id="app-list" aria-label="Authenticator apps" hidden></ul>
<form method="post" id="factor-form" hidden>
<p>Scan this with your authenticator app:</p>
<div class="qr" id="factor-qr"></div>
<p>Can’t scan it? Type this key into the app: <code id="factor-key"></code></p>
${codeField('factor-code')}
${field({ name: 'name', id: 'new-app-name', label: 'Name of the app', autocomplete: 'off', required: false, maxLength: 100, hint: 'For example, the phone it’s on.' })}
${ending('Turn it on')}
</form>
<div id="recovery-codes" hidden>
<h3 tabindex="-1" id="recovery-codes-heading">Your recovery codes</h3>
<p>Keep them somewhere safe. You won’t see them again. Each one logs you in once if you lose your phone or security key.</p>
<ul class="codes" id="recovery-code-list"></ul>
<div class="actions"><button type="button" class="quiet" id="copy-codes">Copy</button><a class="button quiet" id="download-codes" download="recovery-codes.txt">Download</a></div>
</div>
<p class="fault" id="factor-fault" role="alert"></p>
<div class="actions"><button type="button" id="factor-begin" hidden>Set up an authenticator app</button><button type="button" class="quiet" id="renew-codes" hidden>New recovery codes</button>${passkeys ? html`<button type="button" class="quiet" id="add-key" hidden>Add a security key</button>` : null}<button type="button" class="quiet" id="ask-for-passkeys" hidden>Require a passkey after the password</button><button type="button" class="quiet" id="stop-asking" hidden>Stop requiring a passkey</button></div>
<p class="done" id="factor-told" role="status"></p>
<dialog id="rename-app-dialog" aria-labelledby="rename-app-dialog-heading">
<form method="post">
<h2 id="rename-app-dialog-heading">Rename the authenticator app</h2>
${field({ name: 'name', id: 'app-name', label: 'Name of the app', autocomplete: 'off', maxLength: 100, hint: 'For example, the phone it’s on.' })}
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Save</button><button type="button" class="quiet" data-closes>Cancel</button></div>
</form>
</dialog>
<div id="remembered" hidden>
<h3 tabindex="-1" id="remembered-heading">Remembered devices</h3>
<p class="hint">They skip two-step verification for up to 30 days.</p>
<ul class="rows" id="remembered-list"></ul>
</div>`
}

const devices = html`<ul class="rows" id="device-list" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<div class="actions"><button type="button" class="quiet" id="end-others" hidden>Log out all other devices</button></div>
<p class="done" role="status"></p>`

/** The list and its actions: web/api-keys.ts. */
const apiKeys = html`<ul class="rows" id="api-key-list" aria-busy="true"></ul>
<div id="new-api-key" hidden>
<h3 tabindex="-1" id="new-api-key-heading">Your new key</h3>
<p>Copy it now. You won’t see it again.</p>
<p><code id="api-key-text"></code></p>
<div class="actions"><button type="button" class="quiet" id="copy-api-key">Copy</button></div>
</div>
<form method="post" id="api-key-form">
${field({ name: 'name', id: 'api-key-name', label: 'Name of the new key', autocomplete: 'off', maxLength: 100, hint: 'For example, the program that gets it.' })}
<fieldset>
<legend>What it may do</legend>
${Object.entries(scopes).map(([name, text]) => html`<p class="check"><input type="checkbox" id="${name}" name="scopes" value="${name}"><label for="${name}">${text}</label></p>`)}
</fieldset>
<div class="field">
<label for="api-key-days">How long it works</label>
<select id="api-key-days" name="days">
<option value="30">30 days</option><option value="90" selected>90 days</option><option value="365">A year</option>
</select>
</div>
${ending('Create a key')}
</form>
<p class="done" role="status"></p>
<dialog id="remove-key-dialog" aria-labelledby="remove-key-dialog-heading">
<form method="dialog">
<h2 id="remove-key-dialog-heading">Remove the API key <bdi></bdi>?</h2>
<p>Programs that have it can no longer use your account.</p>
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit" class="danger" value="remove">Remove it</button><button type="button" class="quiet" data-closes data-begins>Keep it</button></div>
</form>
</dialog>`

/** The list: web/activity.ts. */
const activity = html`<ul class="rows" id="activity-list" aria-busy="true"></ul>
<p class="fault" role="alert"></p>
<div class="actions"><button type="button" class="quiet" id="older-activity" hidden>Show older</button></div>`

const ownData = html`<p class="fault" role="alert"></p>
<div class="actions"><button type="button" class="quiet" id="export" disabled>Download your data</button></div>`

function deletion({ username }: AccountUser<OwnFields>): Html {
  return html`<div class="actions"><button type="button" class="danger" data-opens="delete-dialog" disabled>Delete my account</button></div>
<dialog id="delete-dialog" aria-labelledby="delete-dialog-heading">
<form method="dialog">
<h2 id="delete-dialog-heading">Delete the account <bdi>${username}</bdi>?</h2>
<p>This is permanent and can’t be undone. You’ll be logged out everywhere. We’ll ask you to confirm it first.</p>
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit" class="danger" value="delete">Delete it</button><button type="button" class="quiet" data-closes data-begins>Keep it</button></div>
</form>
</dialog>`
}

/**
 * Re-authentication with the password, a code, a passkey or a new login elsewhere. web/dialogs.ts opens it when the
 * service requires it, and shows what the account has.
 */
export function confirmation(
  { username }: Pick<AccountUser, 'username'>,
  { passkeys, baseUrl, providers }: PageSettings,
): Html {
  const confirming = providers.filter(({ canConfirm }) => canConfirm)
  return html`<dialog id="confirm-dialog" aria-labelledby="confirm-dialog-heading">
<form method="post">
<h2 id="confirm-dialog-heading">Confirm it’s you</h2>
<input type="text" autocomplete="username" value="${username ?? ''}" readonly hidden>
<fieldset id="confirm-by-password" hidden disabled>${field({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password' })}</fieldset>
<fieldset data-asks="totp" hidden disabled>${codeField('confirm-code')}</fieldset>
<fieldset data-asks="recovery-code" hidden disabled>${recoveryCodeField('confirm-recovery-code')}</fieldset>
<p id="confirm-nothing" hidden>We can email a code to <strong><bdi id="confirm-mailbox"></bdi></strong>.</p>
<p id="confirm-anew" hidden>You logged in too long ago for this. Log out and in again, then try once more.</p>
<fieldset id="confirm-by-email" hidden disabled>${field({ name: 'email_code', label: 'Code from the email', autocomplete: 'one-time-code' })}</fieldset>
<p class="fault" role="alert"></p>
<div class="actions"><button type="submit">Confirm</button>${passkeys ? html`<button type="button" class="quiet" id="confirm-by-passkey" data-passkey="${baseUrl}" hidden>Use a passkey</button>` : null}<button type="button" id="confirm-send" hidden>Email me a code</button>${confirming.map(({ name, label }) => html`<button type="button" class="quiet" data-confirms-with="${name}" hidden>Log in again with ${label}</button>`)}<button type="button" class="quiet" data-closes>Cancel</button></div>
${otherFactors(passkeys)}
</form>
</dialog>`
}
