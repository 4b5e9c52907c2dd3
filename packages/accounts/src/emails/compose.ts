import { isReplacementName } from '../identifiers/address-name.js'
import { placeholdersOf } from '../languages/catalogue.js'
import type { Language, Languages } from '../languages/languages.js'
import { removedSentence } from '../languages/removed.js'
import type { Brand } from '../options/brand.js'
import { escapeHtml } from '../pages/html.js'
import type { EmailContent, EmailFacts, EmailTemplate, OwnMail } from '../seams/email-templates.js'
import type { AnyMailKind, CoreMailKind, MailKind } from '../seams/mailer.js'
import type { JsonValue } from '../user.js'
import { oneLine } from './harmless-text.js'
import { emailHtml, inkLink, layoutIn } from './layout.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { occasionLines } from './occasion.js'

/** Makes the content of an email. */
export type ComposeEmail = (
  kind: AnyMailKind,
  facts: EmailFacts,
  data?: JsonValue,
) => EmailContent | Promise<EmailContent>

/** Templates of the app, by kind, each call with a deadline. */
export interface AppTemplates {
  /** Those that replace a shipped email. */
  readonly replaced: Guarded<EmailTemplate>
  /** Those of the option `mails`. */
  readonly own: Guarded<OwnMail>
}

type Guarded<Template extends EmailTemplate | OwnMail> = Readonly<
  Record<string, (...args: Parameters<Template>) => Promise<EmailContent>>
>

/** The emails of the catalogue in the brand's theme, some replaced, and those of the app. */
export function createComposer(
  languages: Languages,
  brand: Brand,
  mails: MailTable,
  { replaced, own }: AppTemplates,
): ComposeEmail {
  return (kind, facts, data) => {
    const isNotice = mailFacts(mails, kind).notice !== undefined
    const languageOf = ({ language }: EmailFacts): Language => languages.match(language) ?? languages.fallback
    const shipped = (each: EmailFacts): EmailContent =>
      composeEmail(kind as MailKind, each, languageOf(each), brand, isNotice)
    const layout = layoutIn(languageOf(facts), brand)
    const mail = own[kind]
    if (mail !== undefined) return mail(facts, data, layout)
    const template = replaced[kind]
    return template === undefined ? shipped(facts) : template(facts, shipped, layout)
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
  /** What to do instead if there is no link. */
  readonly withoutLink?: string
  /** A second link, less prominent than a button. */
  readonly release?: { readonly invitation: string; readonly label: string }
  readonly reason: string
}

interface Paragraph {
  text: string
  html: string
}

/** When it was, who did it, and from where: one paragraph of lines, or none. */
function occasion(facts: EmailFacts, language: Language, { timeZone, name }: Brand): Paragraph[] {
  const lines = occasionLines(facts, language, timeZone).map((line) =>
    language.say(line.text, { ...line.facts, site: name }),
  )
  return lines.length === 0 ? [] : [{ text: lines.join('\n'), html: lines.map(escapeHtml).join('<br>') }]
}

/** How many notices one of them replaces. */
function heldBackSentence(heldBack: number | true, { texts, say }: Language): string {
  const { common } = texts.emails
  return heldBack === true ? common.heldBackOften : say(common.heldBack, { count: heldBack })
}

function composeEmail(
  kind: MailKind,
  facts: EmailFacts,
  language: Language,
  brand: Brand,
  isNotice: boolean,
): EmailContent {
  const texts: EmailTexts = language.texts.emails[kind as CoreMailKind]
  const { common } = language.texts.emails
  const { username, address, createdAt, site, url, minutes, label, code, codeMinutes, removed, heldBack } =
    facts
  // Without a name, the owner knows the account by its address. An address that can be released isn't the
  // account's yet.
  const name = username ?? (facts.releaseUrl === undefined ? address : null)
  const plain = {
    username: name && oneLine(name),
    address: oneLine(address),
    created: createdAt && language.date(createdAt, brand.timeZone),
    site,
    duration: minutes === undefined ? undefined : language.duration(minutes),
    label,
    code,
    codeDuration: codeMinutes === undefined ? undefined : language.duration(codeMinutes),
  }
  const marked = {
    ...plain,
    // A name of the other writing direction must not reorder the text around it.
    username: plain.username && `<strong><bdi>${escapeHtml(plain.username)}</bdi></strong>`,
    address: `<strong><bdi>${escapeHtml(plain.address)}</bdi></strong>`,
    site: escapeHtml(site),
    label: label && escapeHtml(label),
    code: code && `<strong>${escapeHtml(code)}</strong>`,
  }

  /** Whether every placeholder of a paragraph has a value. */
  const isKnown = (text: string): boolean =>
    placeholdersOf(text).every((name) => plain[name as keyof typeof plain] !== undefined)
  // Don't greet anybody by their address or a generated name, or give the address twice.
  const factsOf = <Given extends typeof plain>(text: string, facts: Given): Given => {
    const isLeftOut =
      text === common.greeting
        ? username === null || isReplacementName(username)
        : username === null && placeholdersOf(text).includes('address')
    return isLeftOut ? { ...facts, username: null } : facts
  }
  const inText = (text: string): string => language.say(text, factsOf(text, plain))
  const inHtml = (text: string): string => language.say(escapeHtml(text), factsOf(text, marked))

  const link = texts.button === undefined || url === undefined ? undefined : { label: texts.button, url }
  const paragraph = (text: string): Paragraph => ({ text: inText(text), html: inHtml(text) })
  const [happened = '', ...others] = texts.before
  const before = [
    ...[common.greeting, happened].filter(isKnown).map(paragraph),
    ...(isNotice ? occasion(facts, language, brand) : []),
    ...(heldBack ? [paragraph(heldBackSentence(heldBack, language))] : []),
    ...others.filter(isKnown).map(paragraph),
    ...(removed ? [paragraph(removedSentence(language, removed))] : []),
    ...(link !== undefined && texts.invitation !== undefined ? [paragraph(texts.invitation)] : []),
  ]
  const lacksLink = isNotice && texts.button !== undefined && link === undefined
  const after = [
    ...(texts.after ?? []).filter(isKnown),
    ...(lacksLink ? [texts.withoutLink ?? common.withoutLink] : []),
  ].map(paragraph)
  const release =
    texts.release === undefined || facts.releaseUrl === undefined
      ? undefined
      : { ...texts.release, url: facts.releaseUrl }
  const subject = oneLine(inText(texts.subject))

  return {
    subject,
    text: `${[
      ...before.map(({ text }) => text),
      ...(link === undefined ? [] : [link.url]),
      ...after.map(({ text }) => text),
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
      before: before.map(({ html }) => html),
      link,
      after: [
        ...after.map(({ html }) => html),
        ...(release === undefined
          ? []
          : [`${inHtml(release.invitation)} ${inkLink(release.url, release.label)}`]),
      ],
      reason: inHtml(texts.reason),
    }),
  }
}
