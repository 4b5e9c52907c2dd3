import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onSite, root, targetOf } from './pages.js'

const page = 'docs/README.md'

/** The sections with what one reads in order to do something; the others are for looking things up. */
export const guides = [
  'Start',
  'Your app',
  'Ways to log in',
  'Clients',
  'Your database',
  'Users and privacy',
  'Moving in',
  'Operations',
]

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

/** The menu beside each page: long lists that are looked up from other pages are closed until somebody opens them. */
export function sidebar() {
  return readMap().map((section) => ({
    ...section,
    collapsed: ['Options', 'Adapters'].includes(section.text),
  }))
}

/** The entries at the top of each page. Those of the guides lead to the first page of a section. */
export function navigation(version) {
  const sections = new Map(readMap().map((section) => [section.text, section.items]))
  const entry = (text) => ({ text, link: sections.get(text)[0].link })
  const within = (text) => ({
    text,
    items: sections.get(text).map(({ text: name, link }) => ({ text: name, link })),
  })
  return [
    entry('Start'),
    {
      text: 'Guides',
      items: guides.filter((each) => !['Start', 'Operations'].includes(each)).map((each) => entry(each)),
    },
    within('Operations'),
    {
      ...within('Reference'),
      items: [...within('Reference').items, { text: 'API reference', link: '/api/' }],
    },
    within('Security'),
    {
      text: `v${version}`,
      items: [
        { text: 'Changelog', link: '/changelog' },
        { text: 'Version policy', link: '/versioning' },
      ],
    },
  ]
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
