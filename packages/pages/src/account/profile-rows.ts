import { shownName } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import { nameOfLanguage } from '../parts/languages.js'
import { ownFieldsOf } from '../parts/own-field.js'
import { shownValue } from '../parts/own-value.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import { emailRow } from './email-row.js'
import { namesInRow } from './names-in-row.js'
import type { ShownAccount } from './shown-account.js'

/** Who it is. */
export function profileRows(site: Site, account: ShownAccount): Html {
  const { language } = account
  const { account_pages: own } = language.texts.pages
  const others = site.core.options.languages.all.length > 1
  return rows(own.profile, [
    ...profileRow(site, account),
    addressRow(site, account),
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

/** The username and the app's own fields that are short texts, as far as there are any. */
function profileRow(site: Site, { user, language }: ShownAccount): Row[] {
  const { account_pages: own } = language.texts.pages
  if (!hasProfile(site)) return []
  const declared = ownFieldsOf(site.core.options.fields, language)
  const texts = declared.map((each) => {
    const value = user.fields[each.name]
    return typeof value === 'string' && each.kind !== 'area' ? shownValue(each, value, language) : null
  })
  const shown = [shownName(site.core.options, user), ...texts].filter((text) => text !== null)
  const label = declared.length === 0 ? own.username : own.details
  return [
    {
      label,
      value: namesInRow({ language }, shown.slice(0, 2)),
      action: rowLink(own.edit, label, site.pathOf('/account/profile/')),
    },
  ]
}

/** The address, and the one that it is being changed to. */
function addressRow(site: Site, account: ShownAccount): Row {
  const { user, newEmail, language } = account
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  const row = emailRow(account)
  const action = user.email === null ? own.add : own.change
  return {
    ...row,
    ...(newEmail !== null && { value: html`${row.value}<br>${say(own.changing_to, { email: newEmail })}` }),
    action: rowLink(action, own.email, site.pathOf('/account/email/')),
  }
}

function organizationRow(site: Site, { organizations, invitations, language }: ShownAccount): Row[] {
  if (organizations === null) return []
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  return [
    {
      label: own.organizations,
      value: namesInRow(
        { language },
        organizations.map(({ name }) => name),
      ),
      ...(invitations > 0 && { badge: say(own.invitations, { count: invitations }) }),
      action: rowLink(own.open, own.organizations, site.pathOf('/account/organizations/')),
    },
  ]
}

/** Whether an account has a username, or fields that a page shows. */
export const hasProfile = ({
  core: {
    options: { names, fields, languages },
  },
}: Site): boolean => names !== 'none' || ownFieldsOf(fields, languages.fallback).length > 0
