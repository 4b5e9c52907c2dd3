/** The most levels of a value: far deeper, no database and no check of a schema can handle it. */
const deepest = 100

/**
 * @returns the value, or what is wrong with the text. The parser's own message quotes part of it, which may be a hash
 */
export function parseJson(text: string): { value: unknown } | { reason: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: 'is not valid JSON' }
  }
  return isTooDeep(value) ? { reason: 'is nested too deeply' } : { value }
}

/** Level by level: recursion would end where the stack does. */
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
