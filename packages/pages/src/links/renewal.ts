import type { PageRoute } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import { buttonForm } from '../parts/buttons.js'
import type { Site } from '../site.js'

/** Where the form of an expired link is sent. */
const path = '/links/new/'

/** What a new email is asked for with, by what its link is for. */
const operations = {
  reset: 'requestPasswordReset',
  code: 'requestLoginCode',
  user: 'resendUserVerification',
  signup: 'resendSignupVerification',
} as const

export type Renewable = keyof typeof operations

/** A form that emails a new link to an address, which it carries sealed: it may not be the visitor's to see. */
export function renewalForm(
  site: Site,
  { renew, email }: { renew: Renewable; email: string },
  label: string,
): Html {
  const fields = { renew, address: site.addresses.seal(email, 'link') }
  return buttonForm({ label, kind: 'primary', to: site.pathOf(path), fields })
}

/** Emails a new link in place of an expired one. What isn't from such a page leads to log in. */
export function renewalPage(site: Site): PageRoute {
  const elsewhere = { redirect: site.pathOf('/login/') }
  return {
    path,
    access: 'anyone',
    show: () => elsewhere,
    async submit({ body: { renew, address }, client, perform }) {
      const email = site.addresses.open(address, 'link')
      if (email === null || !isRenewable(renew)) return elsewhere
      await perform(operations[renew], { body: { email } })
      const { sent, sent_body } = client.language.texts.pages.link_pages
      const main = html`<p>${sent_body}</p>`.toString()
      site.flashes.write(client, { done: { heading: sent, main } })
      return { redirect: site.pathOf('/done/') }
    },
  }
}

const isRenewable = (kind: unknown): kind is Renewable =>
  typeof kind === 'string' && Object.hasOwn(operations, kind)
