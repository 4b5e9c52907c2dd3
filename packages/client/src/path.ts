/** A path with its parameters filled in. */
export function filled(path: string, params: object): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment((params as Record<string, string>)[name] as string),
  )
}

/**
 * One path segment, escaped. An empty one, `.` and `..` would lead to another route, escaped or not (WHATWG URL
 * 4.1); a space matches no user and no link.
 */
function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%20' : encodeURIComponent(text)
}

/** A query with those that are given. Without URLSearchParams, which React Native has only in part. */
export function queryOf(query: object): string {
  const pairs = Object.entries(query).map(([name, value]) =>
    value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`,
  )
  return pairs.join('').replace('&', '?')
}
