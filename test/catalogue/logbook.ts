const levels = { trace: 10, warn: 40, error: 50 }

/** Keeps log lines of a level and above; the scene makes every app log at level trace. */
export function logbook(level: keyof typeof levels) {
  const lines: string[] = []
  const keep = (line: string): void => {
    if (JSON.parse(line).level >= levels[level]) lines.push(line)
  }
  return {
    text: () => lines.join(''),
    /** The `code` of each line. */
    codes: (): unknown[] => lines.map((line) => JSON.parse(line).code),
    clear: () => void lines.splice(0),
    /** For Fastify. */
    server: { logger: { level, stream: { write: keep } } },
  }
}
