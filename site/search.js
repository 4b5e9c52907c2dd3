import { searchWords } from './search-words.js'

/** The words of the index. On the site this function is its own text, so it uses nothing from outside. */
function processTerm(term) {
  const word = term.toLowerCase()
  const fillers = 'a an and by can do for from how i is my of on the to with'
  const isFiller = fillers.split(' ').includes(word)
  return isFiller || word === '' ? null : word
}

/** Guides and reference pages before what TypeDoc made of the types, and before the sources that pages link to. */
function boostDocument(id) {
  return /\/(api|source)\//.test(id) ? 0.1 : 1
}

/**
 * How the site's index is made: a document for each section of a page, with the words of search-words.js beside its own.
 * @param base where the site is on its host, such as `/`
 */
export const indexOptions = (base = '/') => ({
  fields: ['title', 'titles', 'text', 'words'],
  processTerm,
  extractField(section, field) {
    if (field !== 'words') return section[field]
    const id = section.id.slice(base.length)
    const isPage = section.titles.length === 0
    return (searchWords[id] ?? (isPage ? searchWords[id.replace(/#.*/, '')] : undefined))?.join(', ')
  },
})

export const searchOptions = {
  boostDocument,
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1, words: 20 },
}
