import { type Html, html } from '../html.js'
import { languageNames } from '../own-fields.js'
import type { ProviderButton } from '../providers.js'
import { codeField, ending, field, otherFactors, recoveryCodeField } from './fields.js'

/** The settings that the pages depend on. */
export interface PageSettings {
  passwordMinLength: number
  /** Where people sign up; `null` if they can't. */
  creation: 'signup' | 'user' | null
  /** Without a trailing slash. */
  baseUrl: string
  /** Whether browsers support passkeys at `baseUrl`. */
  passkeys: boolean
  /** The providers to log in with. */
  providers: readonly ProviderButton[]
}

/** What has just happened, by its name in the query. */
const news: ReadonlyMap<string, string> = new Map([
  ['logged-out', 'You’ve been logged out.'],
  ['deleted', 'Your account has been deleted.'],
])

/** Each login step is a form; web/log-in.ts shows one at a time. */
export function logInPage(settings: PageSettings, happened: readonly string[]): Html {
  const { creation, passkeys, baseUrl } = settings
  const told = happened.flatMap((name) => news.get(name) ?? [])
  return html`<h1>Log in</h1>
${told.map((text) => html`<p class="done">${text}</p>`)}
<form method="post" id="log-in" data-creation="${creation}">
${field({ name: 'username', label: 'Username or email address', autocomplete: passkeys ? 'username webauthn' : 'username', maxLength: 254 })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<p class="check"><input type="checkbox" id="remember" name="remember"><label for="remember">Keep me logged in</label></p>
${ending('Log in')}
${otherWays(settings, 'Log in', html`<button type="button" class="quiet" id="by-code" disabled>Email me a code</button>`)}
</form>
<form method="post" id="ask-code" hidden>
<p>We’ll email you a code to log in with. You don’t need your password.</p>
${field({ name: 'email', id: 'code-email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Email me a code')}
${startAgain}
</form>
<form method="post" id="give-code" hidden>
<p>If <strong><bdi id="code-address"></bdi></strong> belongs to an account, we’ve sent a code there. It works for 10 minutes, in this browser.</p>
${field({ name: 'code', id: 'emailed-code', label: 'Code from the email', autocomplete: 'one-time-code', hint: 'Eight letters and digits.' })}
${ending('Log in', { other: html`<button type="button" class="quiet" id="code-again" disabled>Send a new code</button>` })}
${startAgain}
</form>
<form method="post" id="second-step" hidden>
<p>Two-step verification is on for your account.</p>
<fieldset data-asks="totp" hidden disabled>${codeField('code')}</fieldset>
<fieldset data-asks="recovery-code" hidden disabled>${recoveryCodeField('recovery-code')}</fieldset>
<p class="check"><input type="checkbox" id="remember_device" name="remember_device"><label for="remember_device">Don’t ask again on this device for 30 days</label></p>
${ending('Continue', { other: passkeys ? passkeyButton('Use a passkey or security key', baseUrl) : null })}
${otherFactors(passkeys)}
${startAgain}
</form>
<div id="asides">
<p class="aside"><a href="forgotten-password">Forgot your password?</a></p>
${creation === null ? null : html`<p class="aside">New here? <a href="sign-up">Sign up</a></p>`}
</div>`
}

const startAgain = html`<p class="aside"><button type="button" class="quiet" data-starts-again disabled>Start again</button></p>`

/** Alternatives to submitting the form. These buttons use its fields as well. */
function otherWays({ passkeys, baseUrl, providers }: PageSettings, verb: string, more?: Html): Html | null {
  const ways = [
    ...(passkeys ? [passkeyButton(`${verb} with a passkey`, baseUrl)] : []),
    ...providers.map(
      ({ name, label }) =>
        html`<button type="button" class="quiet" data-provider="${name}" disabled>Continue with ${label}</button>`,
    ),
    ...(more === undefined ? [] : [more]),
  ]
  return ways.length === 0 ? null : html`<p class="or"><span>or</span></p><div class="ways">${ways}</div>`
}

/** Placed next to a form's submit button; uses the form's fields as well. */
function passkeyButton(label: string, baseUrl: string): Html {
  return html`<button type="button" class="quiet" data-passkey="${baseUrl}" disabled>${label}</button>`
}

export function signUpPage(settings: PageSettings): Html {
  const { creation, passwordMinLength, passkeys } = settings
  // /user/ doesn't support signup with a passkey.
  const hasPasskey = passkeys && creation === 'signup'
  return html`<h1>Sign up</h1>
<form method="post" id="sign-up" data-creation="${creation}" data-languages="${Object.keys(languageNames).join(' ')}">
${field({ name: 'username', label: 'Username', autocomplete: 'username', maxLength: 150 })}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${newPassword({ name: 'password', label: 'Password', passwordMinLength })}
<p class="hint">Or leave the password empty: then you log in with codes that we email you.</p>
${ending('Sign up')}
${otherWays({ ...settings, passkeys: hasPasskey }, 'Sign up')}
${hasPasskey ? html`<p class="hint">With a passkey you don’t need a password: your device asks for your fingerprint, your face or its PIN.</p>` : null}
</form>
<p class="aside">Already have an account? <a href="log-in">Log in</a></p>`
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

/** web/entrance.ts shows the second form once the email is on its way. */
export function forgottenPage({ passwordMinLength }: PageSettings): Html {
  return html`<h1>Forgot your password?</h1>
<p>We’ll email you a link to choose a new password, and a code to do so on this page.</p>
<form method="post" id="forgotten">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Email me a link')}
</form>
<form method="post" id="reset-code" hidden>
${field({ name: 'code', id: 'emailed-code', label: 'Code from the email', autocomplete: 'one-time-code', hint: 'Eight letters and digits. It works for 10 minutes, in this browser.' })}
${newPassword({ name: 'new_password', label: 'New password', passwordMinLength })}
${ending('Change password')}
</form>
<p class="aside"><a href="log-in">Back to log in</a></p>`
}

export function confirmAddressPage({ creation }: PageSettings): Html {
  return html`<h1>Confirm your email address</h1>
<p>We’ll email you a link. Open it to confirm your address.</p>
<form method="post" id="confirm-address" data-creation="${creation}">
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${ending('Send confirmation email')}
</form>
<p class="aside"><a href="log-in">Back to log in</a></p>`
}
