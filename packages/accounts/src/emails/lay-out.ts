import type { Language } from '../languages/languages.js'
import type { Brand } from '../options/brand.js'
import { escapeHtml } from '../pages/html.js'
import type { EmailContent, EmailLayout, EmailParts } from '../seams/email-templates.js'
import { webUrl } from '../web-url.js'
import { oneLine } from './harmless-text.js'
import { emailHtml } from './layout.js'

/** The layout of the shipped emails, for templates of the app. */
export const layoutIn =
  (language: Language, brand: Brand): EmailLayout =>
  (parts) =>
    layOut(parts, language, brand)

function layOut(parts: EmailParts, language: Language, brand: Brand): EmailContent {
  const { preheader = '', paragraphs, button: link, reason } = parts
  if (link !== undefined && webUrl(link.url) === null)
    throw new Error(`the button ${link.label} must lead to an http(s) URL`)
  const subject = oneLine(parts.subject)
  const last = [reason, brand.footer].filter((line) => line != null)
  return {
    subject,
    text: `${[
      ...paragraphs,
      ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
      ...(last.length > 0 ? ['—', ...last] : []),
    ].join('\n\n')}\n`,
    html: emailHtml({
      language,
      brand,
      subject,
      preheader,
      before: paragraphs.map(inHtml),
      link,
      after: [],
      reason: inHtml(reason ?? ''),
    }),
  }
}

const inHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
