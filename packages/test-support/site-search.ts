import MiniSearch, { type Options } from 'minisearch'
import { read } from './source.js'

const ofSite = (name: string) => import(/* @vite-ignore */ `../../site/${name}.js`)
const { isLookedUp, onSite, pages } = await ofSite('pages')
const { indexOptions, searchOptions } = await ofSite('search')

/** As VitePress's search cuts a page: a section is what stands below a heading. */
interface Section {
  /** `/guides/roles#giving-roles` */
  id: string
  title: string
  /** Of the headings above. */
  titles: string[]
  text: string
}

/** Every section of the site's pages, but for the reference that TypeDoc makes, which comes last in each search. */
export const sections: readonly Section[] = (pages as string[])
  .filter((file) => isLookedUp(file))
  .flatMap((file) => sectionsOf(read(file), `/${onSite(file).replace(/\.md$/, '')}`))

/** An index as the site's, over these sections. */
export function indexSite(): { search(query: string): string[] } {
  const index = new MiniSearch<Section>(indexOptions() as Options<Section>)
  index.addAll(sections)
  return { search: (query) => index.search(query, searchOptions).map(({ id }): string => id) }
}

function sectionsOf(page: string, path: string): Section[] {
  const found: Section[] = []
  const anchors = new Map<string, number>()
  let above: string[] = []
  // Code may have lines that look like headings.
  for (const [index, part] of page.split(/(^```.*?^```)/ms).entries()) {
    const isCode = index % 2 === 1
    for (const [place, piece] of (isCode ? [part] : part.split(/^(#+ .+)$/m)).entries()) {
      const [, marks = '', heading = ''] = (place % 2 === 1 && /^(#+) (.+)$/.exec(piece)) || []
      if (heading === '') {
        const last = found.at(-1)
        if (last !== undefined) last.text += textOf(piece)
        continue
      }
      const title = textOf(heading).replaceAll('`', '')
      above = [...above.slice(0, marks.length - 1), title]
      found.push({ id: `${path}#${anchorOf(heading)}`, title, titles: above.slice(0, -1), text: '' })
    }
  }
  return found

  function anchorOf(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = anchors.get(anchor) ?? 0
    anchors.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
}

/** What a reader sees: of links their text, and no tags. */
function textOf(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1').replaceAll(/<[^>]*>/g, '')
}
