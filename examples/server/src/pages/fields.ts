import { type Html, html } from '../html.js'

export interface Field {
  /** The name in requests, and the element's id. */
  name: string
  label: string
  type?: 'text' | 'email'
  /** What a browser or password manager fills in. */
  autocomplete: string
  maxLength: number
}

/** A field with its label, and an empty element for its error, which web/forms.ts fills. */
export function field({ name, label, type = 'text', autocomplete, maxLength }: Field): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${name}-fault" required maxlength="${maxLength}" autocapitalize="none" spellcheck="false">
<p class="fault" id="${name}-fault"></p>
</div>`
}

/**
 * The end of a form: its button and its outcome, announced to screen readers. The button is disabled until the page's
 * script has loaded, because the form does nothing without it.
 */
export function ending(button: string): Html {
  return html`<p class="fault" role="alert"></p>
<div class="actions"><button type="submit" disabled>${button}</button></div>
<p class="done" role="status"></p>`
}
