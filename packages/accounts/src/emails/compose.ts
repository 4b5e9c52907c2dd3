import { placeholdersOf } from '../languages/catalogue.js'
import type { Language, Languages } from '../languages/languages.js'
import { removedSentence } from '../languages/removed.js'
import type { Brand } from '../options/brand.js'
import { escapeHtml } from '../pages/html.js'
import type { EmailContent, EmailFacts, EmailTemplate } from '../seams/email-templates.js'
import type { CoreMailKind, MailKind } from '../seams/mailer.js'
import { oneLine } from './harmless-text.js'
import { emailHtml, inkLink } from './layout.js'

/** Makes the content of an email. */
export type ComposeEmail = (kind: MailKind, facts: EmailFacts) => EmailContent | Promise<EmailContent>

/** Your own templates, by kind, each call with a deadline. */
export type OwnTemplates = {
  readonly [Kind in MailKind]?: (...given: Parameters<EmailTemplate>) => Promise<EmailContent>
}

/** The emails of the catalogue in the brand's theme, some replaced by your own templates. */
export function createComposer(
  languages: Languages,
  brand: Brand,
  replaced: OwnTemplates = {},
): ComposeEmail {
  return (kind, facts) => {
    const shipped = (each: EmailFacts): EmailContent =>
      composeEmail(kind, each, languages.match(each.language) ?? languages.fallback, brand)
    const own = replaced[kind]
    return own === undefined ? shipped(facts) : own(facts, shipped)
  }
}

/** The catalogue's texts for one kind of email. */
interface EmailTexts {
  readonly subject: string
  readonly preheader: string
  readonly before: readonly string[]
  readonly invitation?: string
  readonly button?: string
  readonly after?: readonly string[]
  /** A second link, less prominent than a button. */
  readonly release?: { readonly invitation: string; readonly label: string }
  readonly reason: string
}

function composeEmail(kind: MailKind, facts: EmailFacts, language: Language, brand: Brand): EmailContent {
  const texts: EmailTexts = language.texts.emails[kind as CoreMailKind]
  const { common } = language.texts.emails
  const { username, address, createdAt, site, url, minutes, device, code, removed, heldBack } = facts
  // Without a name, the owner knows the account by its address. An address that can be released isn't the
  // account's yet.
  const name = username ?? (facts.releaseUrl === undefined ? address : null)
  const plain = {
    username: name && oneLine(name),
    address: oneLine(address),
    created: createdAt && language.date(createdAt),
    site,
    duration: minutes === undefined ? undefined : language.duration(minutes),
    device,
    code,
  }
  const marked = {
    ...plain,
    // A name of the other writing direction must not reorder the text around it.
    username: plain.username && `<strong><bdi>${escapeHtml(plain.username)}</bdi></strong>`,
    address: `<strong><bdi>${escapeHtml(plain.address)}</bdi></strong>`,
    site: escapeHtml(site),
    device: device && escapeHtml(device),
    code: code && `<strong>${escapeHtml(code)}</strong>`,
  }

  /** Whether every placeholder of a paragraph has a value. */
  const isKnown = (text: string): boolean =>
    placeholdersOf(text).every((name) => plain[name as keyof typeof plain] !== undefined)
  // Don't greet anybody by their address, or give it twice.
  const factsOf = <Given extends typeof plain>(text: string, known: Given): Given =>
    username === null && (text === common.greeting || placeholdersOf(text).includes('address'))
      ? { ...known, username: null }
      : known
  const inText = (text: string): string => language.say(text, factsOf(text, plain))
  const inHtml = (text: string): string => language.say(escapeHtml(text), factsOf(text, marked))

  const link = texts.button === undefined || url === undefined ? undefined : { label: texts.button, url }
  const before = [
    common.greeting,
    ...texts.before.filter(isKnown),
    ...(removed ? [removedSentence(language, removed)] : []),
    ...(heldBack ? [common.heldBack] : []),
    ...(link !== undefined && texts.invitation !== undefined ? [texts.invitation] : []),
  ]
  const after = (texts.after ?? []).filter(isKnown)
  const release =
    texts.release === undefined || facts.releaseUrl === undefined
      ? undefined
      : { ...texts.release, url: facts.releaseUrl }
  const subject = oneLine(inText(texts.subject))

  return {
    subject,
    text: `${[
      ...before.map(inText),
      ...(link === undefined ? [] : [link.url]),
      ...after.map(inText),
      ...(release === undefined ? [] : [inText(release.invitation), release.url]),
      '—',
      inText(texts.reason),
      ...(brand.footer === null ? [] : [brand.footer]),
    ].join('\n\n')}\n`,
    html: emailHtml({
      language,
      brand,
      subject,
      preheader: isKnown(texts.preheader) ? inText(texts.preheader) : '',
      before: before.map(inHtml),
      link,
      after: [
        ...after.map(inHtml),
        ...(release === undefined
          ? []
          : [`${inHtml(release.invitation)} ${inkLink(release.url, release.label)}`]),
      ],
      reason: inHtml(texts.reason),
    }),
  }
}
