import type { Html } from '../html.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import type { ShownAccount } from './shown-account.js'

/** What is kept, and how it ends. */
export function dataRows(site: Site, { language }: ShownAccount): Html {
  const { account_pages: own } = language.texts.pages
  const row = (label: string, value: string, page: string, action: string): Row => ({
    ...{ label, value },
    action: rowLink(action, label, site.pathOf(`/account/${page}/`)),
  })
  return rows(own.your_data, [
    ...(site.has('activity') ? [row(own.activity, own.activity_about, 'activity', own.open)] : []),
    row(own.export, own.export_about, 'export', own.open),
    row(own.delete, own.delete_about, 'delete', own.delete_action),
  ])
}
