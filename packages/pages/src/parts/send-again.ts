import { type Html, html } from '../html.js'
import { attributes, hidden } from './fields.js'

/** Seconds until an email may be sent again: most have arrived by then. */
const pause = 30

/**
 * A form that sends an email again, with the field `again`. With a script its button counts down first.
 * @param facts.sentAt when the last one was sent, in milliseconds since 1970
 * @param facts.to default: the page's own path
 */
export function sendAgain({ label, sentAt, to }: { label: string; sentAt: number; to?: string }): Html {
  const left = Math.ceil(pause - (Date.now() - sentAt) / 1000)
  const countdown = attributes({ 'data-countdown': left > 0 && left <= pause ? left : undefined })
  return html`<form method="post"${attributes({ action: to })}>
${hidden('again', 'on')}
<button data-part="button" data-kind="quiet"${countdown}>${label}</button>
</form>`
}
