import { isReplacementName } from '../identifiers/address-name.js'
import { placeholdersOf } from '../languages/catalogue.js'
import type { Language, Languages } from '../languages/languages.js'
import { removedSentence } from '../languages/removed.js'
import type { Brand } from '../options/brand.js'
import { escapeHtml } from '../pages/html.js'
import type { EmailContent, EmailFacts, EmailTemplate, OwnEmail } from '../seams/email-templates.js'
import type { AnyMailKind, CoreMailKind, MailKind } from '../seams/mailer.js'
import type { JsonValue } from '../user.js'
import { oneLine } from './harmless-text.js'
import { codeBlock, emailHtml, factBlock, inkLink, layoutIn } from './layout.js'
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
  /** Those of the option `ownEmails`. */
  readonly own: Guarded<OwnEmail>
}

type Guarded<Template extends EmailTemplate | OwnEmail> = Readonly<
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
    const { notice, link } = mailFacts(mails, kind)
    const isNotice = notice !== undefined
    const languageOf = ({ language }: EmailFacts): Language => languages.match(language) ?? languages.fallback
    const shipped = (each: EmailFacts): EmailContent =>
      composeEmail(kind as MailKind, each, languageOf(each), brand, { isNotice, secures: link === 'not-me' })
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
  readonly preheader?: string
  readonly before: readonly string[]
  /** In the block of facts, such as what a passkey is called; one with a placeholder without a value is left out. */
  readonly lines?: readonly string[]
  readonly invitation?: string
  readonly button?: string
  readonly after?: readonly string[]
  /** What to do instead if there is no link. */
  readonly withoutLink?: string
  /** A second link, less prominent than a button. */
  readonly release?: { readonly invitation: string; readonly label: string }
  readonly reason?: string
}

interface Paragraph {
  text: string
  html: string
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
  { isNotice, secures }: { isNotice: boolean; secures: boolean },
): EmailContent {
  const { common } = language.texts.emails
  const own: EmailTexts = language.texts.emails[kind as CoreMailKind]
  const texts: EmailTexts = secures ? { ...common.secure, ...own } : own
  const { username, address, createdAt, site, url, minutes, label, inviter, code, codeMinutes } = facts
  const { removed, heldBack } = facts
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
    inviter,
    about: brand.about ?? undefined,
    code,
    codeDuration: codeMinutes === undefined ? undefined : language.duration(codeMinutes),
  }
  const marked = {
    ...plain,
    // A name of the other writing direction must not reorder the text around it.
    username: plain.username && `<strong><bdi>${escapeHtml(plain.username)}</bdi></strong>`,
    address: `<strong><bdi>${escapeHtml(plain.address)}</bdi></strong>`,
    site: escapeHtml(site),
    label: label && `<bdi>${escapeHtml(label)}</bdi>`,
    inviter: inviter && `<bdi>${escapeHtml(inviter)}</bdi>`,
    about: plain.about && escapeHtml(plain.about),
    code: code && codeBlock(code),
  }

  /** Whether every placeholder of a paragraph has a value. */
  const isKnown = (text: string): boolean =>
    placeholdersOf(text).every((name) => plain[name as keyof typeof plain] !== undefined)
  const namesAccount = texts.before.some((text) => placeholdersOf(text).includes('username'))
  // Don't greet anybody by their address, a generated name or one that the text gives, or give the address twice.
  const factsOf = <Given extends typeof plain>(text: string, facts: Given): Given => {
    const isLeftOut =
      text === common.greeting
        ? namesAccount || username === null || isReplacementName(username)
        : username === null && placeholdersOf(text).includes('address')
    return isLeftOut ? { ...facts, username: null } : facts
  }
  const inText = (text: string): string => language.say(text, factsOf(text, plain))
  const inHtml = (text: string): string => language.say(escapeHtml(text), factsOf(text, marked))

  const link = texts.button === undefined || url === undefined ? undefined : { label: texts.button, url }
  const paragraph = (text: string): Paragraph => ({ text: inText(text), html: inHtml(text) })
  const lines = [
    ...(texts.lines ?? []).filter(isKnown).map(paragraph),
    ...(isNotice ? occasionLines(facts, language, brand.timeZone) : []).map(({ text, facts }) => {
      const said = language.say(text, facts)
      return { text: said, html: escapeHtml(said) }
    }),
  ]
  const block = {
    text: lines.map(({ text }) => text).join('\n'),
    html: factBlock(lines.map(({ html }) => html)),
  }
  const [happened = '', ...others] = texts.before
  const before = [
    ...[common.greeting, happened].filter(isKnown).map(paragraph),
    ...(lines.length > 0 ? [block] : []),
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
  // Its first line names the site.
  const heading = common.sites.reduce((text, phrase) => text.replace(phrase, ''), texts.subject)
  const mailedCode = isKnown(common.code) ? [paragraph(common.code)] : []
  const reason = texts.reason ?? common.reason

  return {
    subject,
    text: `${[
      ...[...mailedCode, ...before].map(({ text }) => text),
      ...(link === undefined ? [] : [link.url]),
      ...after.map(({ text }) => text),
      ...(release === undefined ? [] : [inText(release.invitation), release.url]),
      `—\n${site}`,
      inText(reason),
      ...(brand.footer === null ? [] : [brand.footer]),
    ].join('\n\n')}\n`,
    html: emailHtml({
      language,
      brand,
      subject,
      heading: inHtml(heading),
      preheader: texts.preheader !== undefined && isKnown(texts.preheader) ? inText(texts.preheader) : '',
      before: [...mailedCode, ...before].map(({ html }) => html),
      link,
      after: [
        ...after.map(({ html }) => html),
        ...(release === undefined
          ? []
          : [`${inHtml(release.invitation)} ${inkLink(release.url, release.label)}`]),
      ],
      reason: inHtml(reason),
    }),
  }
}
