import { clearLine, createInterface, cursorTo } from 'node:readline'

/** What a command may show and ask while it works. It returns its result as a report. */
export interface Terminal {
  /** Shows the progress of long work on a terminal. */
  progress(label: string): Progress
  /** Asks for a password without showing it; without a terminal, reads the first line of standard input. */
  password(question: string): Promise<string>
  /** Whether standard input is a terminal. */
  readonly interactive: boolean
}

export interface Progress {
  /** @param part from 0 to 1, `null` if the end is unknown */
  update(part: number | null, text: string): void
  /** Clears the line. */
  end(): void
}

/** Milliseconds between two updates of the progress. */
const interval = 100

/** @param quiet shows no progress */
export function createTerminal(quiet: boolean): Terminal {
  const interactive = process.stdin.isTTY === true
  return {
    interactive,
    progress(label) {
      const shown = !quiet && process.stderr.isTTY === true
      let last = 0
      const clear = (): void => {
        cursorTo(process.stderr, 0)
        clearLine(process.stderr, 0)
      }
      return {
        update(part, text) {
          if (!shown || Date.now() - last < interval) return
          last = Date.now()
          clear()
          process.stderr.write(`${label}${part === null ? '' : ` ${Math.floor(part * 100)}%`}: ${text}`)
        },
        end() {
          if (shown) clear()
        },
      }
    },
    password: (question) => (interactive ? askHidden(question) : firstLine()),
  }
}

/** Reads standard input up to the first line end, without echo. */
async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  for await (const line of lines) {
    lines.close()
    return line
  }
  return ''
}

async function askHidden(question: string): Promise<string> {
  // Loaded only if a question is asked.
  const { default: ask } = await import('@inquirer/password')
  try {
    return await ask({ message: question, toggleMask: false }, { output: process.stderr })
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Error('canceled')
    throw error
  }
}
