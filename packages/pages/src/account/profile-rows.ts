import { type Html, html } from '../html.js'
import { nameOfLanguage } from '../parts/languages.js'
import { named, type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import type { ShownAccount } from './shown-account.js'

/** Who it is. */
export function profileRows(site: Site, account: ShownAccount): Html {
  const { language } = account
  const { account_pages: own, organization_pages: _ } = language.texts.pages
  const others = site.core.options.languages.all.length > 1
  return rows(own.profile, [
    ...profileRow(site, account),
    emailRow(site, account),
    ...(others
      ? [
          {
            label: own.language,
            value: nameOfLanguage(language.tag),
            action: rowLink(own.change, own.language, site.pathOf('/account/language/')),
          },
        ]
      : []),
    ...organizationRow(site, account),
  ])
}

/** The username and the app's own fields, as far as there are any. */
function profileRow(site: Site, { user, language }: ShownAccount): Row[] {
  const { account_pages: own } = language.texts.pages
  const { names, fields } = site.core.options
  const declared = Object.keys(fields?.properties ?? {})
  if (names === 'none' && declared.length === 0) return []
  const texts = declared.map((name) => user.fields[name]).filter((value) => typeof value === 'string')
  const [first, second] = [names === 'none' ? null : user.username, ...texts].filter(
    (text) => text !== null && text !== '',
  )
  const value = [first, second].flatMap((text) => (text == null ? [] : [named(text)]))
  const label = declared.length === 0 ? own.username : own.details
  return [
    {
      label,
      value: value.length === 0 ? own.none : html`${value}`,
      action: rowLink(own.edit, label, site.pathOf('/account/profile/')),
    },
  ]
}

function emailRow(site: Site, { user, newEmail, language }: ShownAccount): Row {
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  const later = newEmail === null ? null : html`<br>${say(own.changing_to, { email: newEmail })}`
  return {
    label: own.email,
    value: user.email === null ? own.none : html`${named(user.email)}${later}`,
    ...(user.email !== null && { badge: user.isVerified ? own.confirmed : own.not_confirmed }),
    action: rowLink(user.email === null ? own.add : own.change, own.email, site.pathOf('/account/email/')),
  }
}

function organizationRow(site: Site, { organizations, invitations, language }: ShownAccount): Row[] {
  if (organizations === null) return []
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  return [
    {
      label: own.organizations,
      value: organizations.length === 0 ? own.none : namesOf(language, organizations),
      ...(invitations > 0 && { badge: say(own.invitations, { count: invitations }) }),
      action: rowLink(own.open, own.organizations, site.pathOf('/account/organizations/')),
    },
  ]
}

/** The first two, and how many more there are. */
function namesOf({ say, texts }: ShownAccount['language'], all: readonly { name: string }[]): Html {
  const shown = all.slice(0, 2).map(({ name }) => named(name))
  const more = all.length - shown.length
  const rest = more === 0 ? null : say(texts.pages.account_pages.more, { count: more })
  return html`${shown}${rest}`
}
