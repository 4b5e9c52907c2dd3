import { InvalidArgumentError, type StoredUser, type User, type UserSearch } from 'fastify-accounts'

/** Rows that a search reads at a time. Few of those that the database finds don't match. */
const portion = 200

/**
 * A text that the JSON of the fields contains, in some case, if one of them contains the given text: that text as JSON
 * escapes it. Of a text with unpaired surrogates it is the longest part without them, because JSON doesn't escape one that
 * has its other half in the field.
 * @throws InvalidArgumentError
 */
export function searchKey({ text, fields }: UserSearch): string {
  if (typeof text !== 'string' || text === '') throw new InvalidArgumentError('search.text must be a text')
  if (!Array.isArray(fields) || fields.length === 0)
    throw new InvalidArgumentError('search.fields must be a list of names')
  const parts = text.split(/\p{Surrogate}+/u)
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best))
  return JSON.stringify(longest).slice(1, -1)
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
