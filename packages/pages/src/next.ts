/** The longest, in characters: it is kept in URLs and cookies. */
const longest = 1000

/**
 * Where a browser goes on, as a path of the site; `null` for anything else, which would be an open redirect (RFC 9700 section
 * 4.11): other origins, `//host`, backslashes, control characters, and what reads so once it is decoded again.
 */
export function checkedNext(target: unknown, origin: string): string | null {
  if (typeof target !== 'string' || target.length > longest) return null
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(target)) return null
  const url = new URL(target, origin)
  if (url.origin !== origin || !isPlainPath(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

/** Whether a path reads the same for programs that decode it once more, or skip control characters. */
function isPlainPath(path: string): boolean {
  const encoded = (what: string): string => `%(?:25)*(?:${what})`
  const odd = new RegExp(
    `^/(?:/|${encoded('2f')})|${encoded('[01][0-9a-f]|7f|c2%(?:25)*[89][0-9a-f]|5c')}`,
    'i',
  )
  return !odd.test(path)
}
