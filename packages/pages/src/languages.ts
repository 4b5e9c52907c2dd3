import type { Site } from './site.js'
import { en } from './texts/en/index.js'

/** Characters: shorter texts may be the same in two languages. */
const shortest = 12

/** Warns once, at start, about languages of the app in which pages have English texts. */
export function warnOfEnglish({ core }: Pick<Site, 'core'>): void {
  const own = core.options.languages.all.filter(({ tag }) => !/^(?:en|de|fr)(?:-|$)/.test(tag))
  for (const { tag, texts } of own) {
    const spare = sameTexts(en.pages, texts.pages)
    if (spare.length === 0) continue
    core.warn(
      'ACCOUNTS_WARN_PAGE_TEXTS',
      `languages.texts.${tag} lacks ${spare.length} texts of pages, which are in English: pages.${spare[0]}`,
    )
  }
}

/** The paths of texts that are the same in both. */
function sameTexts(english: object, texts: object, path = ''): string[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const other = (texts as Record<string, unknown>)[key]
    if (typeof text === 'object') return sameTexts(text, Object(other), `${path}${key}.`)
    return text === other && text.length >= shortest ? [path + key] : []
  })
}
