import type { Language } from '../languages/languages.js'
import { type Brand, dark, edgeOf, inkOn, light } from '../options/brand.js'
import { escapeHtml } from '../pages/html.js'
import type { EmailLayout } from '../seams/email-templates.js'
import { webUrl } from '../web-url.js'
import { oneLine } from './harmless-text.js'

/** The content of an email. */
interface HtmlParts {
  language: Language
  brand: Brand
  subject: string
  /** As HTML: the subject, which may lack what the masthead says. */
  heading: string
  /** Shown by mail clients next to the subject; `''` for none. */
  preheader: string
  /** Paragraphs, as HTML. */
  before: readonly string[]
  link: { label: string; url: string } | undefined
  after: readonly string[]
  /** Why the recipient gets the email, as HTML; `''` for none. */
  reason: string
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * The HTML document of an email. It uses tables and inline styles, because Outlook and Gmail support little
 * else; the style sheet has only what may be lost: the dark scheme, and narrower margins on small screens.
 * Nothing is fetched but the logo, if there is one.
 */
export function emailHtml(parts: HtmlParts): string {
  const { language, brand, subject, heading, preheader, before, link, after, reason } = parts
  const paragraph = (html: string): string =>
    `<p class="ink" style="margin:0 0 16px;${font};font-size:16px;line-height:1.5;color:${light.ink};overflow-wrap:break-word;word-break:break-word">${html}</p>`
  const small = (html: string): string =>
    `<p class="faint" style="margin:0 0 8px;${font};font-size:13px;line-height:1.5;color:${light.faint};overflow-wrap:break-word;word-break:break-word">${html}</p>`
  const footer = brand.footer === null ? '' : small(escapeHtml(brand.footer))

  return `<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 480px) { .side { padding: 24px 20px 8px !important } }
@media (prefers-color-scheme: dark) {
.ground { background-color: ${dark.ground} !important }
.paper { background-color: ${dark.paper} !important }
.ink { color: ${dark.ink} !important }
.faint { color: ${dark.faint} !important }
.button { border-color: ${edgeOf(brand.color, dark)} !important }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${light.ground};-webkit-text-size-adjust:100%">
${preheader === '' ? '' : hidden(preheader)}
<div role="article" lang="${language.tag}" dir="${language.direction}" aria-label="${escapeHtml(subject)}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" bgcolor="${light.ground}" style="background-color:${light.ground}">
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td align="start" style="padding:0 8px 16px;text-align:start">${masthead(brand)}</td></tr>
<tr><td class="paper side" bgcolor="${light.paper}" style="padding:32px 32px 16px;background-color:${light.paper};border-radius:8px;text-align:start">
<h1 class="ink" style="margin:0 0 20px;${font};font-size:22px;line-height:1.3;font-weight:700;color:${light.ink};overflow-wrap:break-word">${heading}</h1>
${before.map(paragraph).join('\n')}
${link === undefined ? '' : button(brand, link)}
${after.map(paragraph).join('\n')}
</td></tr>
<tr><td style="padding:20px 8px 0;text-align:start">
${reason === '' ? '' : small(reason)}
${footer}
${link === undefined ? '' : small(written(link.url, language))}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>
`
}

/** The layout of the shipped emails, for templates of the app. */
export function layoutIn(language: Language, brand: Brand): EmailLayout {
  const inHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
  return ({ preheader = '', paragraphs, button: link, reason, ...parts }) => {
    if (link !== undefined && webUrl(link.url) === null)
      throw new Error(`the button ${link.label} must lead to an http(s) URL`)
    const subject = oneLine(parts.subject)
    const small = [reason, brand.footer].filter((line) => line != null)
    const text = [
      ...paragraphs,
      ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
      ...(small.length > 0 ? ['—', ...small] : []),
    ]
    const before = paragraphs.map(inHtml)
    const inMail = {
      language,
      brand,
      subject,
      heading: escapeHtml(subject),
      preheader,
      before,
      link,
      after: [],
      reason: inHtml(reason ?? ''),
    }
    return { subject, text: `${text.join('\n\n')}\n`, html: emailHtml(inMail) }
  }
}

/** A link within a paragraph, in its color. */
export function inkLink(url: string, label: string): string {
  return `<a class="ink" href="${escapeHtml(url)}" style="color:${light.ink};font-weight:600">${escapeHtml(label)}</a>`
}

/** Hidden in the email itself. The invisible characters keep the text below out of the preview. */
function hidden(preheader: string): string {
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true">${escapeHtml(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>`
}

function masthead({ name, logo }: Brand): string {
  const style = `${font};font-size:18px;line-height:1.3;font-weight:700;color:${light.ink}`
  if (logo === null) return `<span class="ink" style="${style}">${escapeHtml(name)}</span>`
  return `<img class="ink" src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:block;height:40px;width:auto;max-width:100%;border:0;${style}">`
}

/** A code, within the line that says what it is: to be read across a room, and selected at once. */
export function codeBlock(code: string): string {
  return `<strong class="ground" style="display:block;margin-top:4px;padding:12px 8px;background-color:${light.ground};border-radius:6px;font-size:28px;line-height:1.3;letter-spacing:.1em;text-align:center;white-space:nowrap"><bdi>${escapeHtml(code)}</bdi></strong>`
}

/** Lines of facts, each as HTML, set off from the prose. */
export function factBlock(lines: readonly string[]): string {
  return `<span class="ground" style="display:block;padding:12px 16px;background-color:${light.ground};border-radius:6px">${lines.join('<br>')}</span>`
}

/** The URL of a button, for clients without links. */
function written(url: string, { texts }: Language): string {
  const href = escapeHtml(url)
  return `${escapeHtml(texts.emails.common.otherwise)}<br><a class="faint" href="${href}" style="color:${light.faint};word-break:break-all">${href}</a>`
}

/** A cell with its own color, which Outlook also shows. */
function button(brand: Brand, { label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url)
  const ink = inkOn(brand.color)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="button" align="center" bgcolor="${brand.color}" style="background-color:${brand.color};border:1px solid ${edgeOf(brand.color, light)};border-radius:6px;mso-padding-alt:12px 24px">
<a href="${href}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;line-height:1.25;font-weight:600;color:${ink};text-decoration:none"><span style="color:${ink}">${escapeHtml(label)}</span></a>
</td></tr>
</table>`
}
