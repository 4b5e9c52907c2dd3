/** What `layout` puts into the document of a page. All but `title` and `user` is HTML. */
export interface LayoutParts {
  /**
   * `form` for a card, `account` for a column, `link` for what holds a token, code or key, also of an account: scripts of yours
   * don't run there.
   */
  kind: 'form' | 'account' | 'link'
  /** The name of the page, as in `data-page`. */
  page: string
  /** Of the window, with the site's name. Text: escape it. */
  title: string
  /** BCP 47, for `<html lang>`. */
  language: string
  direction: 'ltr' | 'rtl'
  /** For `<head>`: our style and the page's metadata. */
  head: string
  /** For `<body>`: the page, within one `<main>`, and our script. */
  main: string
  /** For your header: links to the account and to log out; `''` for nobody, and on pages of links. */
  account: string
  /** For your footer: `brand.footer` and `brand.links`; `''` without them. */
  links: string
  /** For your footer: the switch of languages; `''` with one language, and where a page's address is secret. */
  languages: string
  /** Who is logged in; `null` for nobody, and on pages of emailed links. */
  user: { id: string; name: string | null } | null
}
