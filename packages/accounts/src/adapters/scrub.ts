/** Shorter texts are words, and are found in any message. In characters. */
const shortest = 8
/** The parts of a longer text that count as values too: tokens in links, hashes in records. In characters. */
const shortestPart = 16
/** Stands in the place of a value. */
const gap = '[…]'

/**
 * What an adapter threw, as it may be logged and handed on: drivers and mail servers put into their texts what they
 * were given, and that holds password hashes and links (OWASP ASVS 5.0, 16.2.5). Keeps the class, `code` and the
 * like, texts and causes; leaves out the given values, and properties that are neither text nor number.
 * @param values what the adapter was given, of any shape
 */
export function withoutValues(thrown: unknown, values: unknown): unknown {
  try {
    const texts = [...new Set(textsOf(values))].sort((a, b) => b.length - a.length)
    return copyOf(thrown, (text) => texts.reduce((rest, each) => rest.replaceAll(each, gap), joined(text)))
  } catch {
    // What cannot be looked through cannot be handed on either.
    return new Error('the adapter failed with an error that cannot be shown')
  }
}

/** A mail that is quoted may have its lines broken anywhere (quoted-printable, RFC 2045 section 6.7). */
function joined(text: string): string {
  return text.replace(/=\r?\n/g, '')
}

/** How far causes are followed. */
const deepest = 5

function copyOf(thrown: unknown, scrubbed: (text: string) => string, depth = 0): unknown {
  if (typeof thrown === 'string') return scrubbed(thrown)
  if (!(thrown instanceof Error)) return undefined
  // Its own texts are where only its constructor can put them.
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

/** Every text in there that may be a secret, and the parts that long texts are made of. */
function* textsOf(values: unknown): Generator<string> {
  // No recursion: what a client sent may be as deep as its body is long, and an object may be in itself.
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
