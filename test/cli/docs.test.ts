import { read } from '@fastify-accounts/test-support/source'
import { describe, expect, test } from 'vitest'
import { parse, UsageError } from '../../packages/accounts/src/cli/command.js'
import { commands } from '../../packages/accounts/src/cli/commands.js'

const page = read('docs/cli.md')

/** The code at the start of each table row in this part of the page. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| \[?`([^`]+)`/gm)].map(([, cell = '']) => cell)
}

function sectionOf(name: string): string {
  const [, text = ''] = page.split(new RegExp(`^### ${name}$`, 'm'))
  return text.split(/^#{2,3} /m)[0] ?? ''
}

describe('docs/cli.md', () => {
  test('lists exactly the existing commands, in order', () => {
    const [overview = ''] = page.split(/^## /m)
    expect(firstCells(overview)).toEqual(commands.map(({ name }) => name))
  })

  test('documents --config once, for all commands', () => {
    expect(page.match(/`--config`/g)).toHaveLength(1)
  })

  test.each(commands.map((command) => [command.name, command] as const))(
    'documents every option of %s',
    (name, { options }) => {
      const section = sectionOf(name)
      expect(section).not.toBe('')
      const documented = new Set([...section.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option.slice(2)))
      // All commands with a store take it: the page says so once.
      const known = Object.keys(options).filter((option) => option !== 'config')
      expect([...documented].sort()).toEqual(known.toSorted())
    },
  )
})

test.each(['docs/cli.md', 'docs/guides/runbook.md'])('%s: the commands in its blocks are valid', (name) => {
  const blocks = [...read(name).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('')
  const lines = [...blocks.matchAll(/^npx fastify-accounts (\S+) ?([^#>\n]*)/gm)]
  expect(lines.length).toBeGreaterThan(5)
  for (const [, command = '', rest = ''] of lines) {
    const found = commands.find((each) => each.name === command)
    if (found === undefined) throw new UsageError(`unknown command ${command}`)
    expect(() => parse(found, rest.split(' ').filter(Boolean))).not.toThrow()
  }
})

describe('the guides', () => {
  const guides = ['from-django', 'from-better-auth', 'from-passport', 'from-devise', 'from-fastify-jwt']

  test.each(guides)('%s: its commands are valid', (guide) => {
    const lines = [...read(`docs/guides/${guide}.md`).matchAll(/^npx fastify-accounts (\S+) ?(.*)$/gm)]
    expect(lines).toHaveLength(2)
    for (const [, name = '', rest = ''] of lines) {
      const command = commands.find((each) => each.name === name)
      if (command === undefined) throw new UsageError(`unknown command ${name}`)
      expect(() => parse(command, rest.split(' ').filter(Boolean))).not.toThrow()
    }
  })
})
