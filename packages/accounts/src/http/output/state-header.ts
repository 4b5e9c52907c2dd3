/**
 * The header Accounts-State: what a browser would keep as cookies, for clients that keep tokens. Opaque to them: they send
 * back the newest one they got. Each part says itself when it ends, as nobody removes it for them.
 */

/** One cookie's value, and when it ends, in seconds since 1970. */
interface Part {
  value: string
  end: number
}

export type State = Map<string, Part>

/** Characters: as much as a browser keeps in one cookie, and a quarter of what Node.js reads of all headers. */
const maxLength = 4096

/** What has no end of its own lasts as long as a browser would keep it. Seconds. */
const longest = 400 * 24 * 3600

const now = (): number => Math.ceil(Date.now() / 1000)

/** What is too long or no state of ours counts as none, as with malformed cookies. */
export function readState(header: string | string[] | undefined): State {
  if (typeof header !== 'string' || header === '' || header.length > maxLength) return new Map()
  const parts = parse(Buffer.from(header, 'base64url').toString())
  return new Map(
    parts.filter(isPart).flatMap(([name, value, end]) => (end > now() ? [[name, { value, end }]] : [])),
  )
}

function parse(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(text)
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function isPart(part: unknown): part is [string, string, number] {
  if (!Array.isArray(part)) return false
  const [name, value, end] = part
  // A lone surrogate has no form as a cookie.
  const isText = (each: unknown) => typeof each === 'string' && each.isWellFormed()
  return isText(name) && isText(value) && typeof end === 'number'
}

/** The state after a cookie is set: an empty or ended one is removed. */
export function withPart(
  state: State,
  name: string,
  value: string,
  { maxAge, expires }: { maxAge?: number; expires?: Date },
): State {
  const ends = expires === undefined ? now() + (maxAge ?? longest) : Math.floor(expires.getTime() / 1000)
  const next = new Map(state)
  next.delete(name)
  if (value !== '' && ends > now()) next.set(name, { value, end: ends })
  return next
}

/** If there is too much, what ends first is dropped: it is what a person does at the moment, and can begin again. */
export function writeState(state: State): string {
  const parts = [...state].map(([name, { value, end }]) => [name, value, end] as const)
  const longestLast = parts.sort(([, , one], [, , other]) => other - one)
  for (;;) {
    const text =
      longestLast.length === 0 ? '' : Buffer.from(JSON.stringify(longestLast)).toString('base64url')
    if (text.length <= maxLength) return text
    longestLast.pop()
  }
}

/** The same in the form of a Cookie header. */
export function asCookies(state: State): string | undefined {
  if (state.size === 0) return undefined
  return [...state].map(([name, { value }]) => `${name}=${encodeURIComponent(value)}`).join('; ')
}
