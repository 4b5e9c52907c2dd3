import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Fails the build where a page of it leads nowhere, or would fetch something from elsewhere. */
export function checkLinks({ outDir, site: { base } }) {
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [`/${name.replaceAll('\\', '/')}`, readFileSync(join(outDir, name), 'utf8')]),
  )
  const faults = []
  for (const [page, html] of pages) {
    for (const [tag, name, attributes] of html.matchAll(/<([a-z]+)\s([^>]*)>/g)) {
      for (const [, value] of attributes.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)) {
        const address = value.replaceAll('&amp;', '&')
        if (/^(https?:)?\/\//.test(address)) {
          if (name !== 'a') faults.push(`${page} fetches ${address}`)
        } else if (!/^(data|mailto):/.test(address) && !isThere(page, address)) {
          faults.push(`${page} leads to ${address}, which is not there: ${tag}`)
        }
      }
    }
  }
  for (const name of names.filter((each) => each.endsWith('.css'))) {
    const [fetched] =
      readFileSync(join(outDir, name), 'utf8').match(/(url\(|@import )["']?(https?:)?\/\/[^)"']*/) ?? []
    if (fetched !== undefined) faults.push(`${name} fetches ${fetched}`)
  }
  if (faults.length > 0) throw new Error(`the site has faults:\n${faults.join('\n')}`)

  function isThere(page, address) {
    const [path, heading] = address.replace(base, '/').split('#')
    const file = path === '' ? page : posix.resolve(posix.dirname(page), decodeURI(path))
    const html = [file, `${file}.html`, posix.join(file, 'index.html')].find((each) => pages.has(each))
    if (html === undefined) return heading === undefined && file !== '/' && existsSync(join(outDir, file))
    return !heading || pages.get(html).includes(` id="${decodeURIComponent(heading)}"`)
  }
}
