import { assertText, InvalidArgumentError, type JsonValue, UnavailableError } from 'fastify-accounts'

/** Most bytes of UTF-8 in a column. Wider than the plugin's own limits. */
export const limits = { id: 255, key: 1024, text: 1024, hash: 1024 } as const

/** How a value gets into its column and out again. */
export interface Column<Value, Stored> {
  /** @throws InvalidArgumentError if the column can't hold the value unchanged */
  write(name: string, value: Value): Stored
  /** `undefined` if the column holds something else. */
  read(stored: unknown): Value | undefined
}

/** The columns of a table, each named like the property that it holds. */
export type Columns<Values, Row> = {
  readonly [Name in keyof Values & keyof Row]: Column<Values[Name], Row[Name]>
}

/** The columns of the values that are given; `undefined` is not given. @throws InvalidArgumentError */
export function toColumns<Values, Row>(
  columns: Columns<Values, Row>,
  values: { readonly [Name in keyof Values]?: Values[Name] | undefined },
): Partial<Row> {
  const row: Partial<Row> = {}
  for (const name of namesOf(columns)) {
    const value = values[name]
    if (value !== undefined) row[name] = columns[name].write(String(name), value as Values[typeof name])
  }
  return row
}

/** All columns. @throws InvalidArgumentError if a value is missing or can't be stored */
export function toRow<Values, Row>(columns: Columns<Values, Row>, values: Values): Row {
  const row: Partial<Row> = {}
  for (const name of namesOf(columns)) row[name] = columns[name].write(String(name), values[name])
  return row as Row
}

/** @throws UnavailableError that names the column, but not what it holds, if that is unreadable */
export function fromRow<Values, Row>(columns: Columns<Values, Row>, row: object): Values {
  const values: Partial<Values> = {}
  for (const name of namesOf(columns)) {
    const value = columns[name].read(Reflect.get(row, name))
    if (value === undefined) throw new UnavailableError(`the column ${String(name)} of a row is unreadable`)
    values[name] = value
  }
  return values as Values
}

function namesOf<Values, Row>(columns: Columns<Values, Row>): (keyof Values & keyof Row)[] {
  return Object.keys(columns) as (keyof Values & keyof Row)[]
}

export function orNull<Value, Stored>(column: Column<Value, Stored>): Column<Value | null, Stored | null> {
  return {
    write: (name, value) => (value === null ? null : column.write(name, value)),
    read: (stored) => (stored === null ? null : column.read(stored)),
  }
}

/** A text that isn't empty. */
export function text(limit: number): Column<string, string> {
  return {
    write(name, value) {
      assertText(name, value)
      if (Buffer.byteLength(value) > limit)
        throw new InvalidArgumentError(`${name} is longer than ${limit} bytes`)
      return value
    },
    read: readText,
  }
}

/** A text that may be empty. */
export const anyText: Column<string, string> = {
  write: (name, value) => (value === '' ? value : text(limits.text).write(name, value)),
  read: readText,
}

export function oneOf<Value extends string>(values: readonly Value[]): Column<Value, Value> {
  return {
    write(name, value) {
      if (values.includes(value)) return value
      throw new InvalidArgumentError(`${name} must be one of ${values.join(', ')}`)
    },
    read(stored) {
      const found = readText(stored)
      return values.find((value) => value === found)
    },
  }
}

export const flag: Column<boolean, boolean> = {
  write(name, value) {
    if (typeof value === 'boolean') return value
    throw new InvalidArgumentError(`${name} must be true or false`)
  },
  read(stored) {
    const number = typeof stored === 'boolean' ? Number(stored) : readWhole(stored)
    return number === 0 || number === 1 ? number === 1 : undefined
  },
}

export const whole: Column<number, number> = {
  write(name, value) {
    if (Number.isSafeInteger(value) && value >= 0) return value
    throw new InvalidArgumentError(`${name} must be a whole number`)
  },
  read: readWhole,
}

export const time: Column<Date, Date> = {
  write(name, value) {
    if (value instanceof Date && !Number.isNaN(value.getTime())) return new Date(value)
    throw new InvalidArgumentError(`${name} must be a valid Date`)
  },
  read(stored) {
    const milliseconds = stored instanceof Date ? stored.getTime() : readWhole(stored)
    return milliseconds === undefined || Number.isNaN(milliseconds) ? undefined : new Date(milliseconds)
  },
}

/** A list as JSON. */
export function list<Item>(item: Column<Item, unknown>['write']): Column<readonly Item[], string> {
  return {
    write(name, value) {
      if (!Array.isArray(value)) throw new InvalidArgumentError(`${name} must be a list`)
      for (const each of value) item(name, each)
      return JSON.stringify(value)
    },
    read(stored) {
      const value = readJson(stored)
      return Array.isArray(value) ? value : undefined
    },
  }
}

/** An object as JSON, which escapes what a database can't store in a text. */
export function json<Value extends object>(): Column<Value, string> {
  return {
    write(name, value) {
      if (typeof value === 'object' && value !== null) return JSON.stringify(value)
      throw new InvalidArgumentError(`${name} must be an object`)
    },
    read(stored) {
      const value = readJson(stored)
      return typeof value === 'object' && value !== null ? (value as Value) : undefined
    },
  }
}

/** Any value of JSON, even `null`. */
export const anyJson: Column<JsonValue, string> = {
  write(name, value) {
    const written: string | undefined = JSON.stringify(value)
    if (written === undefined) throw new InvalidArgumentError(`${name} must be JSON`)
    return written
  },
  read: (stored) => readJson(stored) as JsonValue | undefined,
}

function readText(stored: unknown): string | undefined {
  if (typeof stored === 'string') return stored
  return stored instanceof Uint8Array ? Buffer.from(stored).toString() : undefined
}

function readWhole(stored: unknown): number | undefined {
  const isNumber = typeof stored === 'number' || typeof stored === 'bigint'
  if (!isNumber && !(typeof stored === 'string' && /^-?\d+$/.test(stored))) return undefined
  const number = Number(stored)
  return Number.isSafeInteger(number) ? number : undefined
}

function readJson(stored: unknown): unknown {
  try {
    return JSON.parse(readText(stored) ?? '')
  } catch {
    return undefined
  }
}
