import Negotiator from 'negotiator'
import { type Catalogue, fill, overlay } from './catalogue.js'
import { de } from './de.js'
import { en } from './en.js'
import { fr } from './fr.js'
import type { SomeTexts, Text, Texts } from './texts.js'

/** The texts that features share, in the shipped languages, in the order in which they are offered. */
export const sharedTexts: Catalogue = { en, de, fr }

/** One language, ready for use. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  /** Its writing direction. */
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Texts
  /** A text with its placeholders filled in; `count` also selects the plural form. */
  say(text: Text, facts?: Facts): string
  /** "90 minutes", "1 hour", "24 hours", "7 days", in this language. */
  duration(minutes: number): string
  /** "January 31, 2026", in this language and time zone. */
  date(time: Date, timeZone: string): string
  /** "January 31, 2026 at 2:38 PM UTC", in this language and time zone. */
  time(time: Date, timeZone: string): string
  /** "a, b, and c", in this language. */
  list(items: readonly string[]): string
}

/** A `null` is left out of the text. */
export type Facts = Readonly<Record<string, string | number | null | undefined>>

export interface Languages {
  /** The language if nothing else decides: the first one offered. */
  readonly fallback: Language
  /**
   * The offered language that a client or a user prefers; `null` if there is none.
   * @param wanted an Accept-Language header (RFC 9110 section 12.5.4) or a single tag
   */
  match(wanted: string | undefined): Language | null
  /** All of them, in the order in which they are offered. */
  readonly all: readonly Language[]
  /** The one that a cookie of the browser chooses; `null` if none does. Absent where no page lets anybody choose. */
  chosenIn?(cookies: string | undefined): Language | null
}

/** The same with a choice in a cookie. */
export function choosable(languages: Languages, cookieName: string): Languages {
  const chosen = new RegExp(`(?:^|; ?)${cookieName}=([A-Za-z0-9-]{1,35})(?:;|$)`)
  return {
    ...languages,
    chosenIn(cookies) {
      const tag = cookies?.includes(cookieName) ? chosen.exec(cookies)?.[1] : undefined
      return languages.match(tag)
    },
  }
}

/**
 * @param offered tags, the preferred one first
 * @param catalogue the texts of the plugin and its features, by tag
 * @param texts texts by tag, which replace shipped ones or add to them
 */
export function createLanguages(
  offered: readonly string[],
  catalogue: Catalogue,
  texts: Readonly<Record<string, SomeTexts>> = {},
): Languages {
  const byTag = new Map(offered.map((tag) => [tag, createLanguage(tag, catalogue, texts[tag])]))
  const fallback = byTag.get(offered[0] ?? '') ?? english
  const matches = new Map<string, Language | null>()

  function match(wanted: string): Language | null {
    const [best] = new Negotiator({ headers: { 'accept-language': wanted } }).languages([...byTag.keys()])
    return byTag.get(best ?? '') ?? null
  }

  return {
    fallback,
    all: [...byTag.values()],
    match(wanted) {
      if (wanted === undefined) return null
      const earlierMatch = matches.get(wanted)
      if (earlierMatch !== undefined) return earlierMatch
      const found = match(wanted)
      // Browsers send few different ones; a client that varies them only makes us repeat this work.
      if (wanted.length <= maxKeptLength && matches.size < maxKept) matches.set(wanted, found)
      return found
    },
  }
}

/** How many headers are cached, and their maximum length. */
const maxKept = 200
const maxKeptLength = 100

/** Scripts that are written from right to left. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'])

const minutesADay = 24 * 60

function createLanguage(tag: string, catalogue: Catalogue, texts: SomeTexts = {}): Language {
  let cache: Formats | undefined
  // Made on first use: startup needs none, and they take as long as loading ten files.
  const formats = (): Formats => {
    cache ??= createFormats(tag)
    return cache
  }
  return {
    tag,
    // For pages and emails.
    get direction() {
      return formats().direction
    },
    // Each language is complete; the start has checked it.
    texts: overlay(catalogue[tag] ?? {}, texts) as Texts,
    say(text, facts = {}) {
      const { plural, number } = formats()
      const form =
        typeof text === 'string' ? text : (text[plural.select(Number(facts.count ?? 0))] ?? text.other)
      const written = Object.entries(facts).map(([name, fact]) => [
        name,
        typeof fact === 'number' ? number.format(fact) : fact,
      ])
      return fill(form, Object.fromEntries(written))
    },
    duration(length) {
      const { days, hours, minutes } = formats()
      // A single day reads as 24 hours: "for 1 day" could be taken for "until midnight".
      if (length > minutesADay && length % minutesADay === 0) return days.format(length / minutesADay)
      return length % 60 === 0 ? hours.format(length / 60) : minutes.format(length)
    },
    date: (time, timeZone) => formats().clock(timeZone).date.format(time),
    time: (time, timeZone) => formats().clock(timeZone).time.format(time),
    list: (items) => formats().list.format(items),
  }
}

interface Formats {
  plural: Intl.PluralRules
  number: Intl.NumberFormat
  days: Intl.NumberFormat
  hours: Intl.NumberFormat
  minutes: Intl.NumberFormat
  list: Intl.ListFormat
  direction: Language['direction']
  /** In one time zone; the last one is kept, as most apps have one. */
  clock(timeZone: string): Clock
}

interface Clock {
  date: Intl.DateTimeFormat
  time: Intl.DateTimeFormat
}

function createClock(tag: string, timeZone: string): Clock {
  return {
    date: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone }),
    time: new Intl.DateTimeFormat(tag, {
      ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
      // The short name of most zones is a number in most languages.
      timeZoneName: timeZone === 'UTC' ? 'short' : 'long',
      timeZone,
    }),
  }
}

function createFormats(tag: string): Formats {
  const unit = (name: string): Intl.NumberFormat =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'long' })
  let last: (Clock & { timeZone: string }) | undefined
  return {
    plural: new Intl.PluralRules(tag),
    number: new Intl.NumberFormat(tag),
    days: unit('day'),
    hours: unit('hour'),
    minutes: unit('minute'),
    list: new Intl.ListFormat(tag),
    direction: rightToLeft.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr',
    clock(timeZone) {
      if (last?.timeZone !== timeZone) last = { timeZone, ...createClock(tag, timeZone) }
      return last
    },
  }
}

/** The language of errors before they are translated. */
export const english: Language = createLanguage('en', sharedTexts)
