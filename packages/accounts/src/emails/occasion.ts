import type { Language } from '../languages/languages.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { PendingMail } from '../seams/outbox.js'
import { oneLine } from './harmless-text.js'

/** What an email tells of its occasion: when it was, who caused it, and from where. */
type Occasion = Pick<EmailFacts, 'time' | 'by' | 'device' | 'place' | 'label'>

/** An email that an earlier version posted has no time, and its `device` may name a passkey or a provider. */
export function occasionOf(
  { kind, at, by, device: from, label }: Pick<PendingMail, 'kind' | 'at' | 'by' | 'device' | 'label'>,
  { texts, say }: Language,
): Occasion {
  const namesLabel = at === undefined && kind !== 'new-device'
  const [browser, system, network] = namesLabel ? [] : (from ?? [])
  const device = inOneLine([browser, system])
  const name = inOneLine(namesLabel ? (from ?? []) : [label])
  return {
    ...(at !== undefined && { time: new Date(at) }),
    ...(by && { by }),
    ...(device && { device }),
    ...(network && { place: say(texts.emails.common.place, { network: shownNetwork(network) }) }),
    ...(name && { label: name }),
  }
}

/** What is known of these, as a list. */
export function inOneLine(words: readonly (string | null | undefined)[]): string {
  return oneLine(words.filter((word) => word != null).join(', '))
}

/** `192.0.2.0/24` as `192.0.2.x`, `2001:db8::/48` as `2001:db8:0:…`: people compare it with what their device shows. */
function shownNetwork(network: string): string {
  const [address = ''] = network.split('/')
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.x`
  const [head = ''] = address.split('::')
  return `${[...head.split(':'), '0', '0'].slice(0, 3).join(':')}:…`
}

/** The lines of a notice that say when it was, who did it, and from where, as far as it is known. */
export function occasionLines(
  { time, by, device, place }: Occasion,
  { texts, time: formatTime }: Language,
  timeZone: string,
): { text: string; facts: Readonly<Record<string, string>> }[] {
  const { common } = texts.emails
  const when = time && { text: common.time, facts: { time: formatTime(time, timeZone) } }
  const shownDevice = device ?? (by === 'request' ? common.unknownDevice : undefined)
  return [
    when,
    by === 'staff' && { text: common.byStaff, facts: {} },
    by === 'host' && { text: common.byHost, facts: {} },
    shownDevice && { text: common.device, facts: { device: shownDevice } },
    place && { text: common.from, facts: { place } },
  ].filter((line) => typeof line === 'object')
}
