import { holdsPassword } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import { providerName } from '../parts/provider-buttons.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { namesInRow } from './names-in-row.js'
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
    const names = passkeys.map(({ name }) => name)
    const action = names.length === 0 ? own.add : own.manage
    list.push(row(own.passkeys, 'passkeys', counted(account, names), action))
  }
  if (identities !== null) {
    const names = identities.map(({ provider }) => providerName(site, provider) ?? own.another)
    list.push(
      row(own.logins, 'logins', namesInRow(account, names), names.length === 0 ? own.add : own.manage),
    )
  }
  if (factors !== null) {
    const isOn = factors.totp || factors.passkeys
    list.push(row(own.two_step, 'two-step', stepOf(account, factors), isOn ? own.manage : own.turn_on))
  }
  return rows(own.how_you_log_in, list)
}

/** "2 (iPhone, 1Password)". */
function counted(account: ShownAccount, names: readonly string[]): Html {
  const list = namesInRow(account, names)
  return names.length === 0 ? list : html`${names.length} (${list})`
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
