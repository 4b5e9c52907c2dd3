import type { Client } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'
import { folded } from '../parts/notes.js'

/** Another way than the one that a page shows. */
interface OtherWay {
  /** As in the `factors` of an error, `password`, or `with-` and the name of a provider. */
  way: string
  to: string
}

/** Links to the other ways, folded away. */
export function otherWays(
  { say, texts }: Client['language'],
  ways: readonly OtherWay[],
  facts: { email?: string | null; providers?: ReadonlyMap<string, string> } = {},
): Html {
  if (ways.length === 0) return nothing
  const own = texts.pages.entrance_pages
  const labels: Readonly<Record<string, string>> = {
    passkey: own.way_passkey,
    totp: own.way_app_code,
    'recovery-code': own.way_recovery_code,
    password: own.way_password,
    'email-code': say(own.way_email_code, { email: facts.email ?? '' }),
  }
  const links = ways.map(({ way, to }) => {
    const provider = facts.providers?.get(way)
    const label = provider === undefined ? labels[way] : say(own.continue_with, { provider })
    return html`<li><a href="${to}">${label ?? way}</a></li>`
  })
  return folded(own.other_way, html`<ul>${links}</ul>`)
}
