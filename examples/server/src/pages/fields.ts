import { type Html, html } from '../html.js'

export interface Field {
  /** The name in requests. */
  name: string
  /** The element's id. Default: the name. */
  id?: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** What a browser or password manager fills in. */
  autocomplete: string
  value?: string
  required?: boolean
  hint?: string
  /** For a new password: the policy's minimum. */
  minLength?: number
  maxLength?: number
  /** The keyboard that a phone shows. */
  inputMode?: 'numeric'
}

/** A field with its label, its hint, and an empty element for its error, which web/forms.ts fills. */
export function field(facts: Field): Html {
  const {
    name,
    id = name,
    label,
    type = 'text',
    autocomplete,
    value = '',
    required = true,
    hint,
    minLength,
    maxLength,
    inputMode,
  } = facts
  const described = [...(hint ? [`${id}-hint`] : []), `${id}-fault`].join(' ')
  const input = html`<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"
  aria-describedby="${described}"${inputMode ? html` inputmode="${inputMode}"` : null}${required ? html` required` : null}${lengths(minLength, maxLength)}${plain(type, name)}>`
  return html`<div class="field">
<label for="${id}">${label}${required ? null : html` <span class="optional">(optional)</span>`}</label>
${type === 'password' ? html`<div class="secret">${input}<button type="button" class="quiet" data-shows="${id}" aria-pressed="false" hidden>Show<span class="unseen"> ${label.toLowerCase()}</span></button></div>` : input}
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : null}
<p class="fault" id="${id}-fault"></p>
</div>`
}

/** No `maxlength` for passwords: browsers would silently truncate long ones. */
function lengths(minLength: number | undefined, maxLength: number | undefined): Html {
  if (minLength === undefined) return maxLength === undefined ? html`` : html` maxlength="${maxLength}"`
  return html` minlength="${minLength}" passwordrules="minlength: ${minLength}; allowed: ascii-printable;"`
}

/** No autocorrection of usernames and addresses. */
function plain(type: string, name: string): Html {
  return type === 'password' || name === 'display_name'
    ? html``
    : html` autocapitalize="none" spellcheck="false"`
}

/**
 * The end of a form: its button and its outcome, announced to screen readers. The button is disabled until the page's
 * script has loaded, because the form does nothing without it.
 */
export function ending(button: string, options: { quiet?: boolean; other?: Html | null } = {}): Html {
  return html`<p class="fault" role="alert"></p>
<div class="actions"><button type="submit"${options.quiet ? html` class="quiet"` : null} disabled>${button}</button>${options.other ?? null}</div>
<p class="done" role="status"></p>`
}

/** For a code from an authenticator app. No `maxlength`: a pasted one may bring more than the code. */
export function codeField(id: string): Html {
  return field({
    name: 'code',
    id,
    label: 'Code from the app',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
  })
}

/** For a recovery code. */
export function recoveryCodeField(id: string): Html {
  return field({
    name: 'code',
    id,
    label: 'Recovery code',
    autocomplete: 'off',
    hint: 'One of those that you saved when you turned on two-step verification. Each works once.',
  })
}

/** What replaces the form of a second factor by that of another one; web/second-step.ts shows what the account has. */
export function otherFactors(passkeys: boolean): Html {
  const links: [factor: string, label: string][] = [
    ...(passkeys ? [['passkey', 'Use a passkey or security key'] as [string, string]] : []),
    ['totp', 'Use a code from your authenticator app'],
    ['recovery-code', 'Use a recovery code'],
  ]
  return html`${links.map(([factor, label]) => html`<p class="aside" hidden><button type="button" class="link" data-factor="${factor}" disabled>${label}</button></p>`)}`
}
