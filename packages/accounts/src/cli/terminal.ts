import { createInterface } from 'node:readline'

/** What a command may show and ask while it works. What it has to say in the end it returns. */
export interface Terminal {
  /** Shows how far long work is, where somebody looks on. */
  progress(label: string): Progress
  /** Asks for a password without showing it; without a terminal, reads the first line of standard input. */
  password(question: string): Promise<string>
  /** Whether somebody sits in front of it. */
  readonly interactive: boolean
}

export interface Progress {
  /** @param part from 0 to 1, `null` where the end is not known */
  update(part: number | null, text: string): void
  /** Takes it away. */
  end(): void
}

/** Milliseconds between two pictures of a progress bar. */
const interval = 100
const barWidth = 24

/** @param quiet shows no progress */
export function createTerminal(quiet: boolean): Terminal {
  const interactive = process.stdin.isTTY === true
  return {
    interactive,
    progress(label) {
      const shown = !quiet && process.stderr.isTTY === true
      let last = 0
      return {
        update(part, text) {
          if (!shown || Date.now() - last < interval) return
          last = Date.now()
          const done = Math.round((part ?? 0) * barWidth)
          const bar =
            part === null
              ? ''
              : `[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}] ${String(Math.floor(part * 100)).padStart(3)} % `
          process.stderr.write(`\r${label} ${bar}${text}\u001b[K`)
        },
        end() {
          if (shown) process.stderr.write('\r\u001b[K')
        },
      }
    },
    password: (question) => (interactive ? askUnseen(question) : firstLine()),
  }
}

/** Line by line from standard input; nothing of it is echoed. */
async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  for await (const line of lines) {
    lines.close()
    return line
  }
  return ''
}

/** Reads a line with the terminal's echo off. */
function askUnseen(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (): void => {
      stdin.off('data', read)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const read = (chunk: string): void => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n') {
          end()
          resolve(typed)
          return
        }
        if (character === '\u0003' || character === '\u0004') {
          end()
          reject(new Error('given up'))
          return
        }
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('')
        else typed += character
      }
    }
    stdin.on('data', read)
  })
}
