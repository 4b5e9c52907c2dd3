/** One line of what went wrong: the stores say only that they are unavailable, the driver beneath says why. */
export function reasonOf(error: unknown): string {
  const lines: string[] = []
  for (let each = error; each !== undefined && lines.length < 4; ) {
    const { message, cause, code, errors } = (each ?? {}) as {
      message?: unknown
      cause?: unknown
      code?: unknown
      errors?: unknown[]
    }
    const text = typeof message === 'string' && message !== '' ? message : String(code ?? each)
    if (!lines.includes(text)) lines.push(text)
    each = cause ?? errors?.[0]
  }
  return lines.join(': ').replaceAll(/\s+/g, ' ')
}
