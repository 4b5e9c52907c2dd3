#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { describeError } from '../adapters/describe-error.js'
import { helpOf, parse, type Report, UsageError } from './command.js'
import { commands } from './commands.js'
import { databaseHint } from './database-hint.js'
import { createTerminal } from './terminal.js'

/** 0: success. 1: a failure, or a problem found. 2: wrong usage. */
process.exitCode = await run(process.argv.slice(2))

async function run([name = '', ...args]: string[]): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    process.stdout.write(`${overview()}\n`)
    return name === '' ? 2 : 0
  }
  if (name === '--version') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  const command = commands.find((each) => each.name === name)
  const json = args.includes('--json')
  try {
    // As when starting the app; variables that are already set win.
    if (existsSync('.env')) process.loadEnvFile('.env')
    if (command === undefined) {
      throw new UsageError(`unknown command ${name}; npx fastify-accounts --help lists them all`)
    }
    const { values, positionals } = parse(command, args)
    if (values.help === true) {
      process.stdout.write(`${helpOf(command)}\n`)
      return 0
    }
    const terminal = createTerminal(json)
    const report = await command.run({ values, positionals, cwd: process.cwd(), terminal })
    print(report, json)
    return report.ok === false ? 1 : 0
  } catch (error) {
    const reason = describeError(error)
    const hint = databaseHint(error)
    const line = hint === null ? reason : `${reason}; ${hint}`
    if (json) process.stdout.write(`${JSON.stringify({ error: line })}\n`)
    else process.stderr.write(`${line}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function print({ lines, data }: Report, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''))
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return [
    'fastify-accounts <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Run fastify-accounts <command> --help for details, or fastify-accounts --version for the version.',
  ].join('\n')
}
