import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onSite, root, targetOf } from './pages.js'

const page = 'docs/README.md'

/** The sections of docs/README.md, each with its pages: what the site is found one's way by. */
export function readMap() {
  const [, ...sections] = readFileSync(join(root, page), 'utf8').split(/^## /m)
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    items: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)(.*)$/gm)].map(([, text, href, note]) => {
      const { file } = targetOf(page, href)
      return { text, link: `/${onSite(file).replace(/\.md$/, '')}`, file, note: note.replace(/^[:,]? /, '') }
    }),
  }))
}

/** The pages that TypeDoc made: a section for each package, closed until somebody opens it. */
export function readReference() {
  const entryOf = ({ title, path, children }) => ({
    text: title,
    ...(path && { link: `/api/${path.replace(/(index)?\.md$/, '')}` }),
    ...(children && { collapsed: true, items: children.map(entryOf) }),
  })
  return JSON.parse(readFileSync(join(root, 'site/api/navigation.json'), 'utf8')).map(entryOf)
}
