import { readdirSync, readFileSync } from 'node:fs'
import { read, root } from '@fastify-accounts/test-support/source'
import { expect, it } from 'vitest'
import { rules } from '../src/frame/rules.js'

const folder = `${root}/packages/pages/src`
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('texts'))
  .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
const all = sources.join('\n')
const [, stable = ''] = /### Stable names\n([\s\S]*?)\n## /.exec(read('docs/guides/pages.md')) ?? []

/** What a pattern finds in a text, once each, in order. */
const found = (pattern: RegExp, text: string): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort()

/** The names in the line of the guide that begins with a text. */
const listed = (start: string): string[] =>
  found(
    /`([a-z-]+)`/g,
    stable
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length) ?? '',
  )

it('lists each data-part in the guide', () => {
  const parts = [
    ...found(/data-part="([a-z-]+)"/g, all),
    ...found(/\bmake\('([a-z-]+)'/g, all),
    ...found(/dataset\.part = '([a-z-]+)'/g, all),
  ]
  expect(listed('- `data-part`:')).toEqual([...new Set(parts)].sort())
})

it('styles no part that no page has', () => {
  const styled = found(/\[data-part=([a-z-]+)\]/g, rules)
  expect(styled.filter((part) => !listed('- `data-part`:').includes(part))).toEqual([])
})

it('lists each data-page in the guide', () => {
  const pages = found(/\bpage: '([a-z-]+)'/g, all).filter((name) => name !== 'sample')
  // What people have several of: a page renames or removes one.
  const ofThings = sources.flatMap((source) =>
    found(/\bKeptThing = \{\s*page: '([a-z-]+)'/g, source).flatMap((page) => [
      ...(/\brenaming\(/.test(source) ? [`${page}-rename`] : []),
      ...(/\bremoving\(/.test(source) ? [`${page}-remove`] : []),
    ]),
  )
  expect(ofThings.length).toBeGreaterThan(2)
  expect(listed('- `data-page`:')).toEqual([...new Set([...pages, ...ofThings])].sort())
})
