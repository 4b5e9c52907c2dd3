import { type Check, type Context, checkKeys, fail } from './checks.js'

/** One option. The default applies if nothing is given; without one, the option is required. */
export interface Option {
  readonly check: Check<never, unknown>
  readonly default?: unknown
  /** A default that depends on other options. */
  readonly defaultFrom?: (context: Context) => unknown
}

export type Options = Readonly<Record<string, Option>>

/** Options under one name. */
export interface Group<Entries extends Options> {
  readonly names: readonly string[]
  readonly check: Check<Given<Entries>, Resolved<Entries>>
  readonly defaultFrom: (context: Context) => Resolved<Entries>
}

/** The type for apps. */
export type Given<Entries extends Options> = Flat<
  { -readonly [Name in RequiredNames<Entries>]: Accepted<Entries[Name]> } & {
    -readonly [Name in Exclude<keyof Entries, RequiredNames<Entries>>]?: Accepted<Entries[Name]> | undefined
  }
>

/** The type for the code. */
export type Resolved<Entries extends Options> = {
  readonly [Name in keyof Entries]: InForce<ReturnType<Entries[Name]['check']>, Default<Entries[Name]>>
}

type Accepted<Entry extends Option> = Entry['check'] extends Check<infer Value, unknown> ? Value : never
type Default<Entry extends Option> = Entry extends { default: infer Value }
  ? Value
  : Entry extends { defaultFrom: (...args: never) => infer Value }
    ? Value
    : never
/** A default that the check could also return adds nothing to the type. */
type InForce<Checked, Usual> = [Usual] extends [Checked] ? Checked : Checked | Usual
type RequiredNames<Entries extends Options> = {
  [Name in keyof Entries]: Entries[Name] extends { default: unknown } | { defaultFrom: unknown }
    ? never
    : Name
}[keyof Entries]
type Flat<Type> = { [Key in keyof Type]: Type[Key] }

/** Options under one name. An unknown one stops the start. */
export function group<const Entries extends Options>(entries: Entries): Group<Entries> {
  const names = Object.keys(entries)
  const check: Group<Entries>['check'] = (group, option, context) => {
    const values: Record<string, unknown> = { ...checkKeys(option, group, names) }
    const resolved: Record<string, unknown> = {}
    for (const [name, entry] of Object.entries(entries)) {
      const full = option === '' ? name : `${option}.${name}`
      resolved[name] = resolve(entry, values[name], full, { ...context, siblings: resolved })
    }
    return resolved as Resolved<Entries>
  }
  return { names, check, defaultFrom: (context) => check({} as Given<Entries>, '', context) }
}

function resolve(entry: Option, value: unknown, option: string, context: Context): unknown {
  if (value === undefined && 'default' in entry) return entry.default
  if (value === undefined && entry.defaultFrom !== undefined) return entry.defaultFrom(context)
  return entry.check(value as never, option, context)
}

/** A group that `false` turns off. */
export function orFalse<const Entries extends Options>(
  options: Group<Entries>,
): {
  readonly check: Check<false | Given<Entries>, false | Resolved<Entries>>
  readonly defaultFrom: Group<Entries>['defaultFrom']
} {
  return {
    check(value, option, context) {
      if (value === false) return false
      if (typeof value !== 'object' || value === null) fail(option, 'must be false or an object')
      return options.check(value, option, context)
    },
    defaultFrom: options.defaultFrom,
  }
}

/** A group that `true` turns on with its defaults; `false`, the default, turns it off. */
export function orBoolean<const Entries extends Options>(
  options: Group<Entries>,
): {
  readonly check: Check<boolean | Given<Entries>, false | Resolved<Entries>>
  readonly default: false
} {
  return {
    check(value, option, context) {
      if (value === false) return false
      if (value === true) return options.check({} as Given<Entries>, option, context)
      if (typeof value !== 'object' || value === null) fail(option, 'must be true, false or an object')
      return options.check(value, option, context)
    },
    default: false,
  }
}

/** A group that the code reads in converted form. */
export function into<const Entries extends Options, Made>(
  { check, defaultFrom }: Group<Entries>,
  make: (resolved: Resolved<Entries>, context: Context) => Made,
): { readonly check: Check<Given<Entries>, Made>; readonly defaultFrom: (context: Context) => Made } {
  return {
    check: (value, option, context) => make(check(value, option, context), context),
    defaultFrom: (context) => make(defaultFrom(context), context),
  }
}
