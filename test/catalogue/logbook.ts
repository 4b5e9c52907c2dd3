/** Keeps what an app logs from a level on. */
export function logbook(level: 'trace' | 'warn' | 'error') {
  const lines: string[] = []
  return {
    text: () => lines.join(''),
    /** The field `code` of each line. */
    codes: (): unknown[] => lines.map((line) => JSON.parse(line).code),
    clear: () => void lines.splice(0),
    /** For Fastify. */
    server: { logger: { level, stream: { write: (line: string) => void lines.push(line) } } },
  }
}
