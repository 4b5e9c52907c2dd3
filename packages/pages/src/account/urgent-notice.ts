import { byField } from '../form-page.js'
import { type Html, html } from '../html.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { removedSentence } from '../parts/removed.js'
import type { Site } from '../site.js'
import type { Notice } from '../view.js'
import { sendAgainForm } from './confirmation-email.js'
import type { ShownAccount } from './shown-account.js'

/** Recovery codes: with fewer, a lost phone soon locks somebody out. */
const few = 3

interface Facts extends ShownAccount {
  /** Whether the page asks to confirm the address anyway. */
  isAddressInCard: boolean
}

/** What its owner should know first; `null` for nothing. */
export function urgentNotice(site: Site, account: Facts): Notice | null {
  const { user, factors, removed, newEmail, language, isAddressInCard } = account
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  if (removed !== null) {
    return { tone: 'info', text: removedSentence(site, language, removed) }
  }
  if (newEmail !== null) {
    const cancel = buttonForm({
      label: own.cancel_change,
      to: site.pathOf('/account/email/'),
      fields: { do: 'cancel', [byField]: user.id },
    })
    return noticeOf(say(own.change_sent, { email: newEmail }), cancel)
  }
  if (factors !== null && (factors.totp || factors.passkeys) && factors.recovery_codes_left < few) {
    const renew = linkButton(own.renew_codes, site.pathOf('/account/recovery-codes/'), 'quiet')
    return noticeOf(say(own.few_codes, { count: factors.recovery_codes_left }), renew)
  }
  if (!user.isVerified && user.email !== null && !isAddressInCard) {
    return noticeOf(say(own.confirm_address, { email: user.email }), sendAgainForm(site, account))
  }
  return null
}

const noticeOf = (text: string, action: Html | null): Notice => ({
  tone: 'info',
  text: html`<p>${text}</p>${action}`,
})
