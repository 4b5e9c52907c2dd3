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
  const texts = [...new Set(textsOf(values))].sort((a, b) => b.length - a.length)
  return copyOf(thrown, (text) => texts.reduce(without, text))
}

/** How far causes are followed. */
const deepest = 5

function copyOf(thrown: unknown, scrubbed: (text: string) => string, depth = 0): unknown {
  if (typeof thrown === 'string') return scrubbed(thrown)
  if (!(thrown instanceof Error)) return undefined
  const { message, stack, cause } = thrown
  const hasCause = cause !== undefined && depth < deepest
  const copy = new Error(
    scrubbed(message),
    hasCause ? { cause: copyOf(cause, scrubbed, depth + 1) } : undefined,
  )
  Object.setPrototypeOf(copy, Object.getPrototypeOf(thrown))
  if (stack !== undefined) copy.stack = scrubbed(stack)
  for (const [name, value] of Object.entries(thrown)) {
    if (typeof value === 'string') Object.assign(copy, { [name]: scrubbed(value) })
    if (typeof value === 'number') Object.assign(copy, { [name]: value })
  }
  return copy
}

/** Every text in there that may be a secret, and the parts that long texts are made of. */
function* textsOf(values: unknown): Generator<string> {
  if (typeof values === 'string') {
    if (values.length >= shortest) yield values
    for (const part of values.split(/[^\w.+=~$-]+/)) if (part.length >= shortestPart) yield part
  } else if (typeof values === 'object' && values !== null) {
    for (const value of Object.values(values)) yield* textsOf(value)
  }
}

function without(text: string, value: string): string {
  const plain = text.replaceAll(value, gap)
  // A mail on its way may have its lines broken anywhere (quoted-printable, RFC 2045 section 6.7).
  if (!plain.includes('=\n') && !plain.includes('=\r\n')) return plain
  const signs = Array.from(value, (sign) => sign.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'))
  return plain.replace(new RegExp(signs.join('(?:=\\r?\\n)?'), 'g'), gap)
}
