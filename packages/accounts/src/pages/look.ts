import type { Brand } from '../brand.js'
import type { Language } from '../languages/languages.js'

/** In which language, and whose, a page is. */
export interface Look {
  language: Language
  brand: Brand
  /** The origin of the site: a logo from elsewhere is not shown on pages, since nobody else is to hear of them. */
  origin: string
}
