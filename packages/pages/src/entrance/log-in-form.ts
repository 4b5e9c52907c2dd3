import type { PageVisit } from 'fastify-accounts/features'
import type { FormState } from '../form-page.js'
import { type Html, html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { checkbox, field, secret } from '../parts/fields.js'
import { or } from '../parts/notes.js'
import { providerButtons } from '../parts/provider-buttons.js'
import type { Site } from '../site.js'
import { logInPasskey } from '../ways/passkey-parts.js'
import { backFrom } from './back-from.js'
import { lastWay, type Way } from './last-way.js'
import { nameField } from './name-field.js'
import { landed, secondStep } from './step.js'

/** Every way to log in, and to sign up. */
export function logInForm(
  site: Site,
  { client }: PageVisit,
  { typed, faults }: FormState,
  next: string | null,
): { main: Html; script: string } {
  const { language } = client
  const own = language.texts.pages.entrance_pages
  const { options } = site.core
  const last = lastWay(site, client)
  const marked = (way: Way, button: Html): Html =>
    way === last
      ? html`<div data-part="way">${button} <span data-part="badge">${own.last_used}</span></div>`
      : button
  const providers = providerButtons(
    site,
    { client },
    {
      next: (name) => backFrom(site, '/login/', { in: `with-${name}`, next }),
      badge: last?.startsWith('with-')
        ? { name: last.slice('with-'.length), text: own.last_used }
        : undefined,
    },
  )
  const passkey = logInPasskey(site, {
    language,
    done: landed(site, { next, way: 'passkey' }),
    second: secondStep(site, { next, way: 'passkey' }),
  })
  const hasCodes = options.login.emailCode
  const { label, type } = nameField(site)
  const forgot = html`<a href="${site.pathOf('/forgot/', { next })}">${own.forgot}</a>`
  const hasOthers = providers.length > 0 || passkey !== null || hasCodes
  const main = html`${providers}
${providers.length > 0 && or(own.or)}
<form method="post" action="${site.pathOf('/login/', { next })}">
${field({ name: 'username', label: own[label], type, value: typed.username, autocomplete: passkey ? 'username webauthn' : 'username', faults })}
${secret({ name: 'password', label: own.password, kind: 'current', beside: forgot, faults })}
${checkbox({ name: 'remember', label: own.remember, isChecked: typed.remember === 'on' })}
${hasOthers ? marked('password', submit(own.log_in)) : submit(own.log_in)}
${passkey && marked('passkey', passkey.markup)}
${hasCodes && marked('email-code', codeButton(own.email_code))}
</form>
${options.users === false ? nothing : linkButton(own.create, site.pathOf('/signup/', { next }), 'link')}`
  return { main, script: passkey?.script ?? '' }
}

/** Sends what is typed, without asking for a password. */
const codeButton = (label: string): Html =>
  html`<button data-part="button" data-kind="quiet" name="way" value="email-code" formnovalidate>${label}</button>`
