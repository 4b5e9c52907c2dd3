import type { Language } from '../languages/languages.js'
import type { Brand } from '../options/brand.js'

/** In which language, and whose, a page is. */
export interface PageTheme {
  language: Language
  brand: Brand
  /** The origin of the site: a logo from elsewhere is not shown on pages, since nobody else is to hear of them. */
  origin: string
}
