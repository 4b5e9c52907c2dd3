import type { FeatureTexts } from '../feature-names.js'
import type { en } from './en.js'

/** All texts in English: those of the core and of features. */
type English = typeof en & Intersection<FeatureTexts[keyof FeatureTexts]>

/** A text whose form depends on `{count}`, by the plural rules of its language (CLDR). */
export type Plural = { readonly [Rule in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/** One text of a catalogue. `{name}` is a placeholder. */
export type Text = string | Plural

/** The names of the placeholders in a text. */
type Placeholders<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** Any text that has the same placeholders. */
type Like<T> = [Placeholders<T>] extends [never]
  ? string
  : Intersection<Placeholders<T> extends infer Name extends string ? Named<Name> : never> & string
type Named<Name extends string> = Name extends unknown ? `${string}{${Name}}${string}` : never

/** The shape of a shipped language: a missing text or placeholder doesn't compile. */
export type Translation = Translated<typeof en>
/** The same for the texts of a feature: `const de: Translated<typeof en>`. */
export type Translated<T> = T extends string
  ? Like<T>
  : T extends { other: infer Other }
    ? { readonly [Rule in Intl.LDMLPluralRule]?: string } & { readonly other: Like<Other> }
    : { readonly [Key in keyof T]: Translated<T[Key]> }

/** What pages call one of the app's own fields, in the place of its schema's `title` and `description`. */
export interface FieldTexts {
  readonly title?: string
  readonly description?: string
  /** Of each choice, by its value. */
  readonly enum?: { readonly [value: string]: string }
}

/** Texts that the app has and the plugin doesn't know. */
interface OwnTexts {
  /** Of own fields, by their names: those of `users.fields`, `signUp.fields` and of features. */
  readonly own_fields?: { readonly [name: string]: FieldTexts }
}

/** Every text of one language. */
export type Texts = Widened<English> & OwnTexts
type Widened<T> = T extends string
  ? string
  : T extends { other: string }
    ? Plural
    : T extends readonly string[]
      ? readonly string[]
      : { readonly [Key in keyof T]: Widened<T[Key]> }

/** The features that every mount has. */
type ShippedFeature = 'reset' | 'email-change' | 'not-me' | 'verification'

/**
 * A whole language, as an app provides it: texts of features that are off by default may be omitted, and the
 * start names the first one that an active feature lacks.
 */
export type WholeTexts = Widened<typeof en & Intersection<FeatureTexts[ShippedFeature]>> &
  Some<Widened<Intersection<FeatureTexts[Exclude<keyof FeatureTexts, ShippedFeature>]>>> &
  OwnTexts

/** Some texts of one language, in the shape of `Texts`; a list replaces a whole list. */
export type SomeTexts = Some<Texts>
type Some<T> = T extends string | Plural | readonly string[]
  ? T
  : { readonly [Key in keyof T]?: Some<T[Key]> }
