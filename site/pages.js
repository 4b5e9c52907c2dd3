import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Pages of the site that are not in docs/, and what they are called there. */
const beside = {
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
  'examples/server/README.md': 'example-server.md',
  'packages/benchmark/README.md': 'benchmark-details.md',
  'test/catalogue/README.md': 'security-cases.md',
}

/** The files of the repository that are pages of the site, by their paths from its root. */
export const pages = [
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md')),
  ...Object.keys(beside),
]

/** Long tables that nobody looks things up in: in a search they would come before the pages that explain. */
const records = ['packages/benchmark/README.md', 'test/catalogue/README.md']

export const isLookedUp = (file) => !records.includes(file)

/** Where on the site a file of the repository is. */
export function onSite(file) {
  if (file === 'docs/README.md') return 'contents.md'
  if (file.startsWith('docs/')) return file.slice('docs/'.length)
  if (file.startsWith('site/')) return file.slice('site/'.length)
  return beside[file] ?? `source/${file.replaceAll(/[^a-z0-9]+/gi, '-')}.md`
}

/** The file that a link on a page leads to, by its path from the root; `null` where it leads out of the repository. */
export function targetOf(page, href) {
  if (/^([a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return null
  const [path, heading] = href.split('#')
  return { file: posix.normalize(posix.join(posix.dirname(page), path)), heading }
}

/** The files and folders that pages link to without being pages themselves: shown as they are. */
export function sources() {
  const found = new Set()
  for (const page of pages) {
    const prose = readFileSync(join(root, page), 'utf8').replaceAll(/```.*?```/gs, '')
    for (const [, href] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      const file = targetOf(page, href)?.file
      if (file !== undefined && !pages.includes(file) && existsSync(join(root, file))) found.add(file)
    }
  }
  for (const file of found) {
    if (statSync(join(root, file)).isDirectory()) for (const each of filesOf(file)) found.add(each)
  }
  return [...found].map((file) => file.replace(/\/$/, ''))
}

/** What is in a folder of sources, but for what tools have made. */
export function filesOf(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(root.length), entry.name))
    .filter(
      (file) => !/\/(node_modules|dist|data|build|\.svelte-kit)\/|\.tsbuildinfo$|lock\.yaml$/.test(file),
    )
    .sort()
}

/** Leads the links of a page, which are right on GitHub, to where things are on the site. */
export function linksToSite(markdown) {
  markdown.core.ruler.push('links-to-site', ({ tokens, env }) => {
    const page = (env.realPath ?? env.path).slice(root.length)
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue
      const href = token.attrGet('href')
      const written = targetOf(page, href)
      if (written === null) continue
      // What the front page includes of README.md has links from the root.
      const target = existsSync(join(root, written.file)) ? written : (targetOf('README.md', href) ?? written)
      const heading = target.heading === undefined ? '' : `#${target.heading}`
      token.attrSet('href', `/${onSite(target.file.replace(/\/$/, ''))}${heading}`)
    }
  })
}
