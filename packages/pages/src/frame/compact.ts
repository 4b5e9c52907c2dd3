const compacted = new Map<string, string>()

/** A script without the indentation, empty lines and comments that only people need. */
export function compact(script: string): string {
  const before = compacted.get(script)
  if (before !== undefined) return before
  const lines = script.split('\n').map((line) => line.trim())
  const short = lines.filter((line) => !/^(?:\/\/|$)/.test(line)).join('\n')
  compacted.set(script, short)
  return short
}
