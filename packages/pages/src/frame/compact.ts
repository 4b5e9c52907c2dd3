const compacted = new Map<string, string>()

/**
 * A script without the indentation, lines, comments and spaces that only people need. It has no semicolons, so lines stay where
 * one may end a statement. Texts, in single quotes, stay as they are.
 */
export function compact(script: string): string {
  const before = compacted.get(script)
  if (before !== undefined) return before
  const lines = script.split('\n').map((line) => line.trim())
  const short = lines
    .filter((line) => !/^(?:\/\/|$)/.test(line))
    .join('\n')
    .split(/('(?:[^'\\\n]|\\.)*')/)
    .map((part, index) => (index % 2 === 1 ? part : withoutSpace(part)))
    .join('')
  compacted.set(script, short)
  return short
}

/** Not around `+` and `-`, of which two may be another operator. */
const withoutSpace = (code: string): string =>
  code
    .replace(/ ?([=!<>&|?:,*/{}()[\]]+) ?/g, '$1')
    .replace(/(?<=[{(,[])\n/g, '')
    .replace(/\n(?=[})\]])/g, '')
