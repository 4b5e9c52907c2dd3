import { holdsPassword } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import type { ShownAccount } from './shown-account.js'

/** How somebody logs in to it. */
export function wayRows(site: Site, account: ShownAccount): Html {
  const { user, passkeys, identities, factors, language } = account
  const { account_pages: own } = language.texts.pages
  const row = (label: string, page: string, value: Html | string, action: string): Row => ({
    ...{ label, value },
    action: rowLink(action, label, site.pathOf(`/account/${page}/`)),
  })
  const has = holdsPassword(user)
  const list: Row[] = [
    row(own.password, 'password', has ? own.set : own.not_set, has ? own.change : own.set_one),
  ]
  if (passkeys !== null) {
    const action = passkeys.length === 0 ? own.add : own.manage
    list.push(
      row(
        own.passkeys,
        'passkeys',
        counted(
          account,
          passkeys.map(({ name }) => name),
        ),
        action,
      ),
    )
  }
  if (identities !== null) {
    const names = identities.map(({ label, provider }) => label ?? provider ?? own.another)
    const value = names.length === 0 ? own.none : language.list(names)
    list.push(row(own.logins, 'logins', value, names.length === 0 ? own.add : own.manage))
  }
  if (factors !== null) {
    const isOn = factors.totp || factors.passkeys
    list.push(row(own.two_step, 'two-step', stepOf(account, factors), isOn ? own.manage : own.turn_on))
  }
  return rows(own.how_you_log_in, list)
}

/** "2 (iPhone, 1Password)", with at most two names. */
function counted({ language }: ShownAccount, names: readonly string[]): Html | string {
  const { account_pages: own } = language.texts.pages
  if (names.length === 0) return own.none
  const shown = names.slice(0, 2).map((name, at) => html`${at > 0 && ', '}<bdi>${name}</bdi>`)
  return html`${String(names.length)} (${[...shown]}${names.length > 2 && ', …'})`
}

/** "On: app, 8 recovery codes". */
function stepOf({ language }: ShownAccount, factors: NonNullable<ShownAccount['factors']>): string {
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  const left = factors.recovery_codes_left
  const parts = [
    ...(factors.totp ? [own.app] : []),
    ...(factors.passkeys ? [own.passkey] : []),
    say(own.recovery_codes_left, { count: left }),
  ]
  return factors.totp || factors.passkeys ? say(own.on, { list: parts.join(', ') }) : own.off
}
