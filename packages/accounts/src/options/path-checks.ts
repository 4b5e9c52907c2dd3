import { shownUrl, webUrl } from '../web-url.js'
import { absolute, type Check, checkKeys, fail, shown } from './checks.js'

/** Values by route name; the routes check the names once they are mounted. */
type ByRoute = Readonly<Record<string, string>>

/** Paths of this site, with parameters such as `{uid64}` as whole segments. */
export const paths: Check<ByRoute> = (given, option) => {
  for (const [name, path] of Object.entries(checkKeys(option, given, Object.keys(given)))) {
    // Browsers remove dot segments from a path.
    if (typeof path !== 'string' || !/^(\/(?!\.\.?(\/|$))([\w.~-]+|\{\w+\}))+\/?$/.test(path)) {
      fail(
        `${option}.${name}`,
        `must be a path such as /session/, of letters, digits and . _ ~ -, with parameters such as {uid64} as segments of their own, got ${shown(path)}`,
      )
    }
  }
  return { ...given }
}

/** Placeholders only after the origin. */
const page = /^https?:\/\/[^/?#{}]+[/?#](\{\w+\}|[!-z|~])*$/

/** Paths of this site or URLs, with placeholders. Returned as absolute URLs. */
export const pages: Check<ByRoute> = (given, option, { site }) => {
  const all = Object.entries(checkKeys(option, given, Object.keys(given))).map(([name, value]) => {
    const url = absolute(value, site)
    if (typeof url !== 'string' || !page.test(url) || webUrl(url) === null) {
      fail(
        `${option}.${name}`,
        `must be a path or an http(s) URL such as https://app.example.org/reset/{uid64}/{token}, got ${shownUrl(value)}`,
      )
    }
    return [name, url] as const
  })
  return Object.fromEntries(all)
}
