import { isError } from './is-error.js'

/** Shorter texts are words that occur in any message. In characters. */
const shortest = 8
/** Parts of a longer text that also count as values: tokens in links, hashes in records. In characters. */
const shortestPart = 16
/** Replaces a value. */
const gap = '[…]'

/**
 * Makes what an adapter threw safe to log and rethrow. Drivers and mail servers quote their input in
 * messages, which includes password hashes and links (OWASP ASVS 5.0, 16.2.5). Keeps the class, `code` and
 * the like, texts and causes; removes the given values, and properties that are neither text nor number.
 * @param values what the adapter was given, of any shape
 */
export function withoutValues(thrown: unknown, values: unknown): unknown {
  try {
    const texts = [...new Set(textsOf(values))].sort((a, b) => b.length - a.length)
    return copyOf(thrown, (text) => texts.reduce((rest, each) => rest.replaceAll(each, gap), joined(text)))
  } catch {
    // What can't be inspected can't be passed on.
    return new Error('the adapter failed with an error that cannot be shown')
  }
}

/** A quoted email may be wrapped anywhere (quoted-printable, RFC 2045 section 6.7). */
function joined(text: string): string {
  return text.replace(/=\r?\n/g, '')
}

/** How deep causes are followed. */
const deepest = 5

function copyOf(thrown: unknown, scrubbed: (text: string) => string, depth = 0): unknown {
  if (typeof thrown === 'string') return scrubbed(thrown)
  if (!isError(thrown)) return undefined
  // Only its constructor can set its message.
  if (thrown instanceof DOMException) return new DOMException(scrubbed(thrown.message), thrown.name)
  const { message, stack, cause } = thrown
  const hasCause = cause !== undefined && depth < deepest
  const copy = new Error(
    scrubbed(String(message)),
    hasCause ? { cause: copyOf(cause, scrubbed, depth + 1) } : undefined,
  )
  Object.setPrototypeOf(copy, Object.getPrototypeOf(thrown))
  if (stack !== undefined) copy.stack = scrubbed(String(stack))
  for (const [name, value] of Object.entries(thrown)) {
    const kept = typeof value === 'string' ? scrubbed(value) : value
    if (typeof kept !== 'string' && typeof kept !== 'number') continue
    Object.defineProperty(copy, name, { value: kept, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

/** Every text in there that may be a secret, and the parts of long texts. */
function* textsOf(values: unknown): Generator<string> {
  // No recursion: a client's input may be nested as deep as its body is long, and an object may contain
  // itself.
  const open = [values]
  const seen = new Set<unknown>()
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') yield* secretsIn(value)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    for (const inner of Object.values(value)) open.push(inner)
  }
}

function* secretsIn(text: string): Generator<string> {
  if (text.length >= shortest) yield text
  for (const part of text.split(/[^\w.+=~$-]+/)) {
    if (part.length >= shortestPart) yield part
  }
}
