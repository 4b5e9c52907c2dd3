import { InvalidArgumentError, type StoredUser, type User, type UserSearch } from 'fastify-accounts'
import type { FieldColumn } from '../columns/field-columns.js'

/** What the database looks for. What it finds may still not match. */
export interface SearchKeys {
  /** In the JSON of the fields. */
  inJson: string
  /** In the column of a field. */
  inColumn: string
  /** The fields that have one: of texts, and of others that are texts in JSON. */
  textColumns: readonly FieldColumn['column'][]
  otherColumns: readonly FieldColumn['column'][]
}

/** Rows that a search reads at a time. Few of those that the database finds don't match. */
const portion = 200

/**
 * Texts that the JSON of the fields, or the column of a field, contains in some case if one of them contains the given text:
 * in JSON as it escapes it. Of a text with unpaired surrogates it is the longest part without them, because JSON doesn't
 * escape one that has its other half in the field. No column contains NUL.
 * @param own the fields with a column of their own
 * @throws InvalidArgumentError
 */
export function searchKeys({ text, fields }: UserSearch, own: readonly FieldColumn[]): SearchKeys {
  if (typeof text !== 'string' || text === '') throw new InvalidArgumentError('search.text must be a text')
  if (!Array.isArray(fields) || fields.length === 0)
    throw new InvalidArgumentError('search.fields must be a list of names')
  const searched = own.filter(({ field, as }) => fields.includes(field) && !noTexts.has(as))
  return {
    inJson: JSON.stringify(longestPart(text, /\p{Surrogate}+/u)).slice(1, -1),
    inColumn: longestPart(text, /[\p{Surrogate}\0]+/u),
    textColumns: searched.filter(({ as }) => as === undefined).map(({ column }) => column),
    otherColumns: searched.filter(({ as }) => as !== undefined).map(({ column }) => column),
  }
}

/** What columns hold that no text is found in. */
const noTexts = new Set<FieldColumn['as']>(['boolean', 'not boolean', 'number'])

function longestPart(text: string, separator: RegExp): string {
  return text.split(separator).reduce((best, part) => (part.length > best.length ? part : best))
}

/**
 * The next users who match.
 * @param readAfter reads users whose fields have the search key, from the start or after the given user
 * @param inTime throws after the deadline: if all users have the text elsewhere in their fields, all of them are read
 */
export async function matchingUsers(
  { search, limit }: { search: UserSearch; limit: number },
  readAfter: (last: StoredUser | undefined, limit: number) => Promise<StoredUser[]>,
  inTime: () => void,
): Promise<StoredUser[]> {
  const found: StoredUser[] = []
  const most = Math.max(limit, portion)
  for (let last: StoredUser | undefined; ; inTime()) {
    const users = await readAfter(last, most)
    found.push(...users.filter((user) => isMatch(user, search)))
    last = users.at(-1)
    if (users.length < most || found.length >= limit) return found.slice(0, limit)
  }
}

/** Whether one of these fields of the user contains the text. */
function isMatch({ fields }: User, { text, fields: names }: UserSearch): boolean {
  const wanted = smallLetters(text)
  return names.some((name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    return typeof value === 'string' && smallLetters(value).includes(wanted)
  })
}

/** Only of ASCII: the engines differ in the others. */
function smallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
