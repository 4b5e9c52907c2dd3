import { escapeHtml } from '../html.js'
import type { EmailContent } from '../seams/email-templates.js'

/** One line of text: a mail's subject cannot be continued, nor a name. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * A mail of paragraphs, with one link at the most, as plain text and as HTML.
 * @param body paragraphs in plain text; the link stands where `null` is
 */
export function emailContent(
  subject: string,
  body: readonly (string | null)[],
  link?: { label: string; url: string } | undefined,
): EmailContent {
  const shown = body.filter((paragraph) => paragraph !== null || link !== undefined)
  const text = shown.map((paragraph) => paragraph ?? link?.url ?? '').join('\n\n')
  const html = shown
    .map((paragraph) => {
      if (paragraph !== null || link === undefined) return `<p>${escapeHtml(paragraph ?? '')}</p>`
      const url = escapeHtml(link.url)
      return `<p><a href="${url}" style="display:inline-block;padding:10px 18px;background:#1d4ed8;color:#ffffff;border-radius:6px;text-decoration:none">${escapeHtml(link.label)}</a></p>\n<p style="color:#555555;font-size:14px">If the button does not work, open this address: <br><a href="${url}">${url}</a></p>`
    })
    .join('\n')
  return {
    subject: oneLine(subject),
    text: `${text}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(oneLine(subject))}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;background:#ffffff">
<div style="max-width:560px">
${html}
</div>
</body>
</html>
`,
  }
}

/** "1 hour", "24 hours", "90 minutes". */
export function duration(minutes: number): string {
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
