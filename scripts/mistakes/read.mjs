import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const home = new URL('../../test/mistakes/', import.meta.url)
const heading = /^## (\S+) (.+)$/m
const block = /^```diff\n([\s\S]*?)\n```$/gm

/**
 * The mistakes in test/mistakes. Each has a heading, `## id what is wrong`, and blocks of diff: the lines with a minus, or
 * with a space, are there exactly once in the sources of the published packages, wherever that is; those with a plus, or
 * with a space, take their place.
 * @returns {{ id: string, wrong: string, edits: { before: string, after: string }[] }[]}
 */
export function readMistakes() {
  return readdirSync(home)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(new URL(name, home), 'utf8').split(/^(?=## )/m))
    .flatMap((part) => {
      const [, id, wrong] = heading.exec(part) ?? []
      return id === undefined
        ? []
        : [{ id, wrong, edits: [...part.matchAll(block)].map(([, lines]) => editOf(lines)) }]
    })
}

function editOf(lines) {
  const textOf = (signs) =>
    lines
      .split('\n')
      .filter((line) => signs.includes(line.at(0) ?? ' '))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  return { before: textOf('- '), after: textOf('+ ') }
}

/** The sources of the published packages, by path. */
export function readSources(root = fileURLToPath(new URL('../..', import.meta.url))) {
  const sources = new Map()
  for (const name of readdirSync(`${root}/packages`)) {
    const { private: isPrivate } = JSON.parse(readFileSync(`${root}/packages/${name}/package.json`, 'utf8'))
    const files = isPrivate ? [] : readdirSync(`${root}/packages/${name}/src`, { recursive: true })
    for (const file of files.filter((each) => each.endsWith('.ts'))) {
      const path = `packages/${name}/src/${file}`
      sources.set(path, readFileSync(`${root}/${path}`, 'utf8'))
    }
  }
  return sources
}

/**
 * Makes a mistake: the new text of each file that it changes, and the lines that it touches.
 * @param {ReturnType<typeof readMistakes>[number]} mistake
 * @param {ReadonlyMap<string, string>} sources
 * @throws Error if a text of it isn't there exactly once
 */
export function place({ id, edits }, sources) {
  const files = new Map()
  const lines = []
  for (const { before, after } of edits) {
    const found = [...sources.keys()].flatMap((path) => {
      const parts = `\n${files.get(path) ?? sources.get(path)}`.split(`\n${before}`)
      return parts.slice(1).map(() => ({ path, text: parts.join(`\n${after}`).slice(1) }))
    })
    if (found.length !== 1)
      throw new Error(
        `the mistake ${id} needs a text that is there ${found.length} times instead of once:\n${before}`,
      )
    if (before === after) throw new Error(`the mistake ${id} changes nothing`)
    files.set(found[0].path, found[0].text)
    lines.push(...before.split('\n').map((line) => line.trim()))
  }
  if (files.size === 0) throw new Error(`the mistake ${id} changes nothing`)
  return { files, lines: lines.filter((line) => /\w/.test(line)) }
}
