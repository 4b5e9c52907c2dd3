import { type Html, html } from '../html.js'
import { languageNames } from '../own-fields.js'
import { codeField, ending, field } from './fields.js'

/** What a page needs to know of the settings. */
export interface PageSettings {
  passwordMinLength: number
  /** Where people sign up; `null` where they cannot. */
  creation: 'signup' | 'user' | null
  /** Without a slash at the end. */
  baseUrl: string
  /** Whether browsers have passkeys for it. */
  passkeys: boolean
}

/** What has just happened, by the name in the query that says so. */
const news: ReadonlyMap<string, string> = new Map([
  ['logged-out', 'You are logged out.'],
  ['deleted', 'Your account was deleted.'],
])

export function logInPage({ creation, passkeys, baseUrl }: PageSettings, happened: readonly string[]): Html {
  const told = happened.flatMap((name) => news.get(name) ?? [])
  return html`<h1>Log in</h1>
${told.map((text) => html`<p class="done">${text}</p>`)}
<form method="post" id="log-in">
${field({ name: 'username', label: 'Username or email address', autocomplete: passkeys ? 'username webauthn' : 'username', maxLength: 254 })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<p class="check"><input type="checkbox" id="remember" name="remember"><label for="remember">Keep me logged in</label></p>
${ending('Log in', { other: passkeys ? passkeyButton('Log in with a passkey', baseUrl) : null })}
</form>
<form method="post" id="second-step" hidden>
<p>Your account is protected by a second factor.</p>
${codeField('code')}
<p class="check"><input type="checkbox" id="remember_device" name="remember_device"><label for="remember_device">Don’t ask again on this device for 30 days</label></p>
${ending('Continue', { other: passkeys ? passkeyButton('Use a passkey', baseUrl) : null })}
<p class="aside"><button type="button" class="quiet" id="start-again" disabled>Start again</button></p>
</form>
<p class="aside"><a href="forgotten-password">Forgotten your password?</a></p>
${creation === null ? null : html`<p class="aside">New here? <a href="sign-up">Sign up</a></p>`}`
}

/** Beside the button of a form, whose fields count for it too. */
function passkeyButton(label: string, baseUrl: string): Html {
  return html`<button type="button" class="quiet" data-passkey="${baseUrl}" disabled>${label}</button>`
}

export function signUpPage({ creation, passwordMinLength, passkeys, baseUrl }: PageSettings): Html {
  // Under /user/ nobody signs up with one.
  const hasPasskey = passkeys && creation === 'signup'
  return html`<h1>Sign up</h1>
<form method="post" id="sign-up" data-creation="${creation}" data-languages="${Object.keys(languageNames).join(' ')}">
${field({ name: 'username', label: 'Username', autocomplete: 'username', maxLength: 150 })}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${newPassword({ name: 'password', label: 'Password', passwordMinLength })}
${ending('Sign up', { other: hasPasskey ? passkeyButton('Sign up with a passkey', baseUrl) : null })}
${hasPasskey ? html`<p class="hint">With a passkey you need no password: your device asks for your fingerprint, your face or its PIN.</p>` : null}
</form>
<p class="aside">Signed up already? <a href="log-in">Log in</a></p>`
}

export function newPassword(facts: { name: string; label: string; passwordMinLength: number }): Html {
  const { passwordMinLength, ...rest } = facts
  return field({
    ...rest,
    type: 'password',
    autocomplete: 'new-password',
    minLength: passwordMinLength,
    hint: `At least ${passwordMinLength} characters. Several words are easy to remember and hard to guess.`,
  })
}

export function forgottenPage(): Html {
  return html`<h1>Forgotten your password?</h1>
<p>We mail you a link. Behind it you choose a new password.</p>
<form method="post" id="forgotten">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Mail me a link')}
</form>
<p class="aside"><a href="log-in">Back to log in</a></p>`
}

export function confirmAddressPage({ creation }: PageSettings): Html {
  return html`<h1>Confirm your address</h1>
<p>We mail you a link. Open it, and your address is confirmed.</p>
<form method="post" id="confirm-address" data-creation="${creation}">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Mail me the link again')}
</form>
<p class="aside"><a href="log-in">Back to log in</a></p>`
}
