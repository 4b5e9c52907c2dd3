import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guides, readMap } from './map.js'
import { isLookedUp, onSite, root, targetOf } from './pages.js'

/** The files for language models (https://llmstxt.org): a list of the pages, and the pages themselves. */
export function writeLlms(outDir, facts) {
  writeFileSync(join(outDir, 'llms.txt'), llmsTxt(facts))
  writeFileSync(join(outDir, 'llms-guides.txt'), llmsGuidesTxt(facts))
  writeFileSync(join(outDir, 'llms-full.txt'), llmsFullTxt(facts))
}

/** @param facts `homepage`, where the site is, and what it is about in one `description` */
export function llmsTxt({ homepage, description }) {
  const sections = readMap().map(({ text, items }) =>
    [`## ${text}`, '', ...items.map((item) => entryOf(item, homepage))].join('\n'),
  )
  const whole = [
    '## Whole pages',
    '',
    `- [The guides](${addressOf('llms-guides.txt', homepage)}): ${guides[0]} to ${guides.at(-1)}, in one file`,
    `- [Everything](${addressOf('llms-full.txt', homepage)}): these and the reference, in one file`,
  ].join('\n')
  return `# fastify-accounts\n\n> ${description}\n\n${[...sections, whole].join('\n\n')}\n`
}

/** The guides alone: about 60 % of everything, and enough to build an app with. */
export function llmsGuidesTxt(facts) {
  return wholePages(
    facts,
    readMap().filter(({ text }) => guides.includes(text)),
  )
}

export function llmsFullTxt(facts) {
  return wholePages(facts, readMap())
}

function wholePages({ homepage, description }, sections) {
  const pages = sections
    .flatMap(({ items }) => items)
    .filter(({ file }) => isLookedUp(file))
    .map(({ file, link }) => `<!-- ${addressOf(link, homepage)} -->\n\n${proseOf(file, homepage)}`)
  return `# fastify-accounts\n\n> ${description}\n\n${pages.join('\n\n')}\n`
}

function entryOf({ text, link, note }, homepage) {
  return `- [${text}](${addressOf(link, homepage)})${note === '' ? '' : `: ${note}`}`
}

const addressOf = (path, homepage) => new URL(path.replace(/^\//, ''), homepage).href

/** A page whose links lead to the site, not to files. */
function proseOf(page, homepage) {
  return readFileSync(join(root, page), 'utf8')
    .trim()
    .split(/(^```.*?^```)/ms)
    .map((part) => (part.startsWith('```') ? part : withAddresses(part, page, homepage)))
    .join('')
}

function withAddresses(prose, page, homepage) {
  return prose.replaceAll(/\]\(([^)\s]+)\)/g, (link, href) => {
    const target = targetOf(page, href)
    if (target === null || !existsSync(join(root, target.file))) return link
    const path = onSite(target.file.replace(/\/$/, '')).replace(/\.md$/, '')
    return `](${addressOf(path, homepage)}${target.heading === undefined ? '' : `#${target.heading}`})`
  })
}
