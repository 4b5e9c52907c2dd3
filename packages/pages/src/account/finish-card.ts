import type { Client } from 'fastify-accounts/features'
import { pageCookie } from '../cookie.js'
import { byField } from '../form-page.js'
import { type Html, html } from '../html.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import type { Site } from '../site.js'
import { sendAgainForm } from './confirmation-email.js'
import type { ShownAccount } from './shown-account.js'

const day = 24 * 3600

/** Days: an account that is older has been set up, whatever browser asks. */
const newFor = 7

/** Seconds: no browser keeps it for longer. */
const dismissedFor = 400 * day

/** What is left to set up, on the page of a new account until it is dismissed in this browser. */
export function finishCard({ core, pathOf }: Site) {
  const dismissed = pageCookie(core, 'welcomed')
  return {
    /** `null` if nothing is left, or nobody wants to see it. */
    shown(client: Client, account: ShownAccount): Html | null {
      const { user, passkeys, language } = account
      const { account_pages: own } = language.texts.pages
      const isNew = Date.now() - user.createdAt.getTime() < newFor * day * 1000
      if (!isNew || dismissed.read(client) !== undefined) return null
      const address = user.isVerified ? null : sendAgainForm({ core, pathOf }, account)
      const steps = [
        ...(address === null ? [] : [html`<li>${own.finish_address} ${address}</li>`]),
        ...(passkeys?.length === 0
          ? [
              html`<li>${own.finish_passkey} ${linkButton(own.add_passkey, pathOf('/account/passkeys/'), 'quiet')}</li>`,
            ]
          : []),
      ]
      if (steps.length === 0) return null
      return html`<section data-part="card">
<h2>${own.finish}</h2>
<ul>
${steps}
</ul>
${buttonForm({ label: own.dismiss, kind: 'link', fields: { [byField]: user.id } })}
</section>`
    },
    dismiss: (client: Client) => dismissed.write(client, '1', dismissedFor),
  }
}
