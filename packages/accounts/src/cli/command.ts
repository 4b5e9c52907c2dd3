import { parseArgs } from 'node:util'
import type { Terminal } from './terminal.js'

/** An option of a command. */
export interface CommandOption {
  type: 'string' | 'boolean'
  /** Whether it may be given several times. */
  multiple?: boolean
  /** What stands for its value in the help text. */
  value?: string
  description: string
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** How a command was called. */
export interface Call {
  values: Values
  positionals: string[]
  /** The folder of the project. */
  cwd: string
  terminal: Terminal
}

/** What a command has to say: lines for people, data for scripts. */
export interface Report {
  lines: string[]
  data: object
  /** `false` where the command did its work, and found something wrong. */
  ok?: boolean
}

export interface Command {
  name: string
  summary: string
  /** What stands behind the name in the help text, how many of them there must be, and how many there may be. */
  positionals?: { text: string; count: number; most?: number }
  options: Record<string, CommandOption>
  /** More lines of help. */
  notes?: string[]
  run(call: Call): Promise<Report>
}

/** Called in a wrong way: exit code 2. */
export class UsageError extends Error {}

/** Options that every command takes. */
const commonOptions: Record<string, CommandOption> = {
  json: { type: 'boolean', description: 'print one JSON object and no progress' },
  help: { type: 'boolean', description: 'print this' },
}

export const configOption: Record<string, CommandOption> = {
  config: {
    type: 'string',
    value: 'file',
    description: "module with your app's options; accounts.config.js by default, if it exists",
  },
}

/** @throws UsageError */
export function parse(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const options = { ...command.options, ...commonOptions }
  const { text = '', count = 0, most = count } = command.positionals ?? {}
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
      ),
      allowPositionals: true,
    })
    if (values.help !== true && positionals.length > most) {
      throw new UsageError(`unknown argument: ${positionals[most]}`)
    }
    if (values.help !== true && positionals.length < count) {
      throw new UsageError(`missing argument: ${text}`)
    }
    return { values: values as Values, positionals }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

export function helpOf(command: Command): string {
  const { name, summary, positionals, options, notes = [] } = command
  const rows = Object.entries({ ...options, ...commonOptions }).map(([option, { value, description }]) => [
    `  --${option}${value === undefined ? '' : ` <${value}>`}`,
    description,
  ])
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2
  return [
    `fastify-accounts ${name}${positionals === undefined ? '' : ` ${positionals.text}`} [options]`,
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    '',
    ...rows.map(([left = '', right]) => left.padEnd(width) + right),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n')
}

/** The value of an option that is a text. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be given several times. */
export function textsOf(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}
