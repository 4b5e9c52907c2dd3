import { assertText, InvalidArgumentError } from 'fastify-accounts'

/** Most bytes of UTF-8, the same on every engine, so none truncates a value. Wider than the plugin's own limits. */
export const limits = { id: 255, key: 1024, text: 1024, hash: 1024 } as const

/** What a column stores of a value. @throws InvalidArgumentError that begins with the name */
export type Encoder<T> = (name: string, value: T) => string | number | null

export function orNull<T>(encode: Encoder<T>): Encoder<T | null> {
  return (name, value) => (value === null ? null : encode(name, value))
}

export function oneOf<T extends string>(values: readonly T[]): Encoder<T> {
  return (name, value) => {
    if (!values.includes(value)) throw new InvalidArgumentError(`${name} must be one of ${values.join(', ')}`)
    return value
  }
}

/** @throws InvalidArgumentError if the value is not text that every engine stores unchanged */
export function toText(name: string, value: unknown, limit: number): string {
  assertText(name, value)
  if (Buffer.byteLength(value) > limit)
    throw new InvalidArgumentError(`${name} is longer than ${limit} bytes`)
  return value
}

/** A text of any length, even none. */
export function toLongText(name: string, value: unknown): string {
  if (value === '') return value
  assertText(name, value)
  return value
}

export function toFlag(name: string, value: unknown): number {
  if (typeof value !== 'boolean') throw new InvalidArgumentError(`${name} must be true or false`)
  return value ? 1 : 0
}

export function toWhole(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError(`${name} must be a whole number`)
  }
  return value
}

/** Milliseconds since 1970, UTC. */
export function toTime(name: string, value: unknown): number {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError(`${name} must be a valid Date`)
  }
  return value.getTime()
}

export function toJson(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError(`${name} must be an object`)
  return toAnyJson(name, value)
}

/** Any value that JSON has, even `null`. */
export function toAnyJson(name: string, value: unknown): string {
  // Escapes NUL and unpaired surrogates, so every engine stores the text unchanged.
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new InvalidArgumentError(`${name} must be JSON`)
  return text
}

/** As JSON; nothing if it is empty, as in older rows. */
export function toList(name: string, value: unknown): string | null {
  if (!Array.isArray(value)) throw new InvalidArgumentError(`${name} must be a list`)
  return value.length === 0 ? null : toJson(name, value)
}

export function fromList<Item>(value: string | null): Item[] {
  // Most accounts have no credentials, roles or factors.
  return value === null || value === '[]' ? [] : JSON.parse(value)
}

export function fromText(value: string | Uint8Array): string {
  if (typeof value === 'string') return value
  // mysql2 returns a Buffer, which needs no second one around its bytes: a page has three hundred of them.
  return (Buffer.isBuffer(value) ? value : Buffer.from(value)).toString()
}

export function fromTime(value: number | string | bigint): Date {
  return new Date(Number(value))
}
