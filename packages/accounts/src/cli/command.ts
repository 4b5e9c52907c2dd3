import { parseArgs } from 'node:util'
import type { Terminal } from './terminal.js'

/** An option of a command. */
export interface CommandOption {
  type: 'string' | 'boolean'
  /** Whether it may be given several times. */
  multiple?: boolean
  /** The placeholder for its value in the help text. */
  value?: string
  description: string
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

/** The arguments and context of a command. */
export interface Call {
  values: Values
  positionals: string[]
  /** The project folder. */
  cwd: string
  terminal: Terminal
}

/** The output of a command: lines for people, data for scripts. */
export interface Report {
  lines: string[]
  data: object
  /** `false` if the command ran, and found a problem. */
  ok?: boolean
}

export interface Command {
  name: string
  summary: string
  /** What follows the name in the help text, how many are required, and how many are allowed. */
  positionals?: { text: string; count: number; most?: number }
  options: Record<string, CommandOption>
  /** More lines of help. */
  notes?: string[]
  run(call: Call): Promise<Report>
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** Options of every command. */
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

/** The value of a string option. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be repeated. */
export function textsOf(values: Values, name: string): string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}
