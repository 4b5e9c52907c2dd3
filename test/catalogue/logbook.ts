const levels = { trace: 10, warn: 40, error: 50 }

/** Keeps what an app logs from a level on; the scene itself has every app log all there is. */
export function logbook(level: keyof typeof levels) {
  const lines: string[] = []
  const keep = (line: string): void => {
    if (JSON.parse(line).level >= levels[level]) lines.push(line)
  }
  return {
    text: () => lines.join(''),
    /** The field `code` of each line. */
    codes: (): unknown[] => lines.map((line) => JSON.parse(line).code),
    clear: () => void lines.splice(0),
    /** For Fastify. */
    server: { logger: { level, stream: { write: keep } } },
  }
}
