import { type Html, nothing } from '../html.js'
import { deviceName } from '../parts/devices.js'
import { type Row, rowLink, rows } from '../parts/rows.js'
import type { Site } from '../site.js'
import type { ShownAccount } from './shown-account.js'

/** Where it is logged in, and what acts for it. */
export function placeRows(site: Site, { sessions, apiKeys, language }: ShownAccount): Html {
  const { say, texts } = language
  const { account_pages: own } = texts.pages
  const list: Row[] = []
  const here = sessions?.find(({ current }) => current)
  if (here) list.push({ label: own.this_device, value: deviceName(language, here) })
  const others = sessions?.filter(({ current }) => !current)
  if (others) {
    const last = others.toSorted((one, other) => other.last_seen_at.localeCompare(one.last_seen_at)).at(0)
    const facts = last && { count: others.length, device: deviceName(language, last) }
    list.push({
      label: own.other_devices,
      value: facts === undefined ? own.none : say(own.others, facts),
      action: rowLink(own.manage, own.other_devices, site.pathOf('/account/devices/')),
    })
  }
  if (apiKeys !== null) {
    list.push({
      label: own.api_keys,
      value: apiKeys === 0 ? own.none : say('{count}', { count: apiKeys }),
      action: rowLink(own.manage, own.api_keys, site.pathOf('/account/api-keys/')),
    })
  }
  return list.length === 0 ? nothing : rows(own.where_you_are, list)
}
