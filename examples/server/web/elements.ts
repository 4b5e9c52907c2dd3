/** A required element. */
export function get<T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector)
  if (found === null) throw new Error(`no ${selector}`)
  return found
}

/** Creates an element; strings become text, not HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** `31 Jan 2026, 10:30`, in local time. */
export function moment(time: string): HTMLTimeElement {
  const text = new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return make('time', { datetime: time }, text)
}

/** A day in UTC, `2026-01-31`, as `31 Jan 2026`. */
export function day(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Of an address or its network: `network 192.0.2.x`, as the emails say it, so people can compare the two. */
export function place(ip: string): string {
  const [address = '', length] = ip.split('/')
  if (length === undefined) return ip
  if (!address.includes(':')) return `network ${address.split('.').slice(0, 3).join('.')}.x`
  const [head = ''] = address.split('::')
  return `network ${[...head.split(':'), '0', '0'].slice(0, 3).join(':')}:…`
}

/** `5 minutes ago`. */
export function ago(time: string): string {
  const minutes = Math.round((Date.now() - Date.parse(time)) / 60_000)
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  if (minutes < 1) return 'just now'
  if (minutes < 60) return words.format(-minutes, 'minute')
  if (minutes < 48 * 60) return words.format(-Math.round(minutes / 60), 'hour')
  return words.format(-Math.round(minutes / 60 / 24), 'day')
}
