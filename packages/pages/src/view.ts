import type { FieldError } from 'fastify-accounts'
import type { LayoutParts } from './frame/layout-parts.js'
import type { Html } from './html.js'

/** What one page shows. */
export interface View {
  /** Its name, stable for style sheets: `data-page`. */
  page: string
  kind: LayoutParts['kind']
  /** Whether it shows a secret or asks for a code, so no script of the site runs beside it. Default: as its kind says. */
  isSecret?: boolean
  heading: string
  /** Below the heading. */
  main: Html
  /** Of the window. Default: the heading. */
  title?: string
  /** What is wrong with its form, for the summary at its top. Default: nothing. */
  faults?: readonly FieldError[]
  /** At most one. Default: the message of the form before. */
  notice?: Notice | undefined
  /** Leads back, above the heading. Default: nothing. */
  back?: { to: string; label: string }
  /** An absolute URL that the browser goes on to by itself, such as that of a provider. Default: it stays. */
  movesOnTo?: string
  /** A module, besides the script of every page. Default: none. */
  script?: string | undefined
  /** Default 200. */
  status?: number
}

/** One line above the form that says what has happened. */
export interface Notice {
  tone: 'good' | 'info' | 'fault'
  text: string | Html
}

/** Who sees a page, and where. */
export interface Audience {
  user: { id: string; name: string | null } | null
  /** The path of the page; `''` where it is secret. */
  url: string
}
