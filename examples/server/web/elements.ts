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
