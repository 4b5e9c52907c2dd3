import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import type { ButtonKind } from '../parts/buttons.js'
import { attributes } from '../parts/fields.js'
import type { Site } from '../site.js'
import { addScript, conditionalCreateScript, logInScript, proofScript } from './passkey-scripts.js'

/** A passkey button of a page. */
interface PasskeyPart {
  /** For `View.script`. */
  script: string
  /** Once a page. Stays hidden without a script, and where the browser can't use passkeys. */
  markup: Html
}

/** How a button looks, and where it leads. */
interface Placement {
  language: PageTheme['language']
  /** The path of the page that follows. */
  done: string
  /** Default `quiet`. */
  kind?: ButtonKind
}

/**
 * Logs in. The field for the name suggests passkeys if its `autocomplete` is `username webauthn`; a box named `remember` counts.
 * @returns `null` if passkeys are off
 */
export function logInPasskey(site: Site, place: Placement & { second: string }): PasskeyPart | null {
  if (!site.has('passkeys')) return null
  const { passkey_use, passkey_unknown } = textsOf(place)
  const paths = pathsOf(site, 'login-passkey-options', 'login-passkey')
  return {
    script: logInScript,
    markup: button(place, passkey_use, { ...paths, second: place.second, wrong: passkey_unknown }),
  }
}

/**
 * Completes a login, where passkeys are a second factor; a box named `remember_device` counts.
 * @param place.again where a login begins again that has expired
 */
export function secondFactorPasskey(site: Site, place: Placement & { again: string }): PasskeyPart {
  const paths = pathsOf(site, 'login-passkey-options', 'login-second-factor')
  const label = textsOf(place).passkey_or_key_use
  return {
    script: proofScript,
    markup: button(place, label, { ...paths, use: 'factor', again: place.again }),
  }
}

/**
 * Confirms who is logged in, where passkeys are on.
 * @param place.again where somebody logs in who no longer is
 */
export function confirmPasskey(site: Site, place: Placement & { again: string }): PasskeyPart {
  const paths = pathsOf(site, 'confirm-passkey-options', 'confirm')
  return {
    script: proofScript,
    markup: button(place, textsOf(place).passkey_use, { ...paths, again: place.again }),
  }
}

/**
 * Adds a passkey, then sends the form that this is in, with its id as `added`.
 * @param place.use `factor` takes security keys without a PIN, which don't log in by themselves
 * @param place.confirm the path of the page that confirms, with `next`
 */
export function addPasskey(
  site: Site,
  place: Omit<Placement, 'done'> & { label: string; use: 'login' | 'factor'; confirm: string },
): PasskeyPart {
  const { label, use, confirm } = place
  const paths = pathsOf(site, 'passkey-options', 'passkeys')
  const taken = textsOf(place).passkey_taken
  return {
    script: addScript,
    markup: html`<input type="hidden" name="added" value="">${button(place, label, { ...paths, use, confirm, taken })}`,
  }
}

/**
 * On the page after a login with a password: the password manager that filled it in may add a passkey silently. For accounts
 * without a passkey, whose login is recent.
 */
export function conditionalPasskey(site: Site): PasskeyPart {
  const data = attributes({
    'data-options': site.core.where.path('passkey-options'),
    'data-action': site.core.where.path('passkeys'),
  })
  return { script: conditionalCreateScript, markup: html`<div data-passkey-offer hidden${data}></div>` }
}

const textsOf = ({ language }: Pick<Placement, 'language'>) => language.texts.pages.way_pages

const pathsOf = ({ core: { where } }: Site, options: string, action: string) => ({
  options: where.path(options),
  action: where.path(action),
})

function button(
  place: Pick<Placement, 'language' | 'kind'> & { done?: string },
  label: string,
  data: Readonly<Record<string, string>>,
): Html {
  const { kind = 'quiet', done } = place
  const all = { ...data, done, failed: textsOf(place).passkey_failed }
  const named = Object.fromEntries(Object.entries(all).map(([name, value]) => [`data-${name}`, value]))
  return html`<div data-part="passkey" data-passkey hidden${attributes(named)}>
<button type="button" data-part="button" data-kind="${kind}">${label}</button>
<p class="fault" role="alert"></p>
</div>`
}
