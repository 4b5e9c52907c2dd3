import { type PageVisit, shownName, type User } from 'fastify-accounts/features'
import type { FormState } from '../form-page.js'
import { type Html, html } from '../html.js'
import { form, submit } from '../parts/buttons.js'
import { accountName, field, hidden, secret } from '../parts/fields.js'
import { named } from '../parts/rows.js'
import { sendAgain } from '../parts/send-again.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import { confirmPasskey } from '../ways/passkey-parts.js'
import { codeField } from './code-field.js'

interface ProofFacts {
  proof: string
  user: User
  /** Where the browser goes afterwards. */
  next: string
  /** The path of the page, with this proof. */
  to: string
  /** Where somebody logs in who no longer is. */
  again: string
  /** Whether a code was emailed. */
  isSent: boolean
  /** The display name of the provider that it is. */
  provider: string | undefined
}

/** The form of one proof. */
export function proofForm(
  site: Site,
  { client, query }: PageVisit,
  { faults }: FormState,
  { proof, user, next, to, again, isSent, provider }: ProofFacts,
): { main: Html; script?: string } {
  const { language } = client
  const { say, texts } = language
  const own = texts.pages.entrance_pages
  const name = shownName(site.core.options, user) ?? user.email
  const email = user.email ?? ''
  if (provider !== undefined) {
    const label = say(own.continue_with, { provider })
    return { main: form([hidden('provider', proof.slice('with-'.length)), submit(label)], to) }
  }
  if (proof === 'password') {
    const password = secret({
      name: 'password',
      label: own.password,
      kind: 'current',
      hasFocus: true,
      faults,
    })
    return { main: form([accountName(name), password, submit(own.confirm)], to) }
  }
  if (proof === 'passkey') {
    const part = confirmPasskey(site, { language, done: next, again, kind: 'primary' })
    const missing = html`<p class="hint" data-passkey-missing>${own.passkey_missing}</p>`
    return { main: html`${missing}${part.markup}`, script: part.script }
  }
  if (proof !== 'email-code')
    return { main: form([codeField(language, proof, faults), submit(own.confirm)], to) }
  if (!isSent) {
    const label = say(own.way_email_code, { email })
    return { main: form([hidden('again', 'on'), submit(label)], to) }
  }
  const code = field({
    name: 'email_code',
    label: own.code,
    autocomplete: 'one-time-code',
    hasFocus: true,
    faults,
  })
  const sentAt = Number(query.sent)
  return {
    main: html`<p>${withPart(language, own.confirm_code_sent, 'email', named(email))}</p>
${form([code, submit(own.confirm)], `${to}&sent=${sentAt}`)}
${sendAgain({ label: own.send_again, to: `${to}&sent=${sentAt}`, sentAt })}`,
  }
}
