import { read } from '@fastify-accounts/test-support/source'
import { describe, expect, it } from 'vitest'

interface Page {
  text: string
  link: string
  file: string
}

const ofSite = (name: string) => import(/* @vite-ignore */ `../site/${name}.js`)
const { llmsFullTxt, llmsTxt } = await ofSite('llms')
const { readMap } = await ofSite('map')
const { searchOptions } = await ofSite('search')

const facts = { homepage: 'https://example.org/docs/', description: 'User accounts for Fastify.' }
const pages: Page[] = readMap().flatMap(({ items }: { items: Page[] }) => items)

describe('llms.txt', () => {
  const lines: string[] = llmsTxt(facts).split('\n')

  it('has a title, a summary, and sections of links, as llmstxt.org says', () => {
    expect(lines.slice(0, 4)).toEqual(['# fastify-accounts', '', '> User accounts for Fastify.', ''])
    const rest = lines.slice(4).filter((line) => line !== '' && !line.startsWith('## '))
    expect(rest.filter((line) => !/^- \[[^\]]+\]\(https:\/\/\S+\)(: .+)?$/.test(line))).toEqual([])
  })

  it('lists every page of the menu of the docs', () => {
    expect(pages.length).toBeGreaterThan(50)
    for (const { text, link } of pages)
      expect(lines.join('\n')).toContain(`- [${text}](https://example.org/docs${link})`)
  })
})

describe('llms-full.txt', () => {
  const text: string = llmsFullTxt(facts)

  it('has the pages, without the long tables', () => {
    for (const { file } of pages) {
      const [heading = ''] = read(file).split('\n')
      const isThere = text.includes(`\n${heading}\n`)
      expect([file, isThere]).toEqual([file, !/^(test|packages)\//.test(file)])
    }
  })

  it('has no links to files', () => {
    const prose = text.replaceAll(/^```.*?^```/gms, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)
    expect(links.filter((href) => !/^(https?:|mailto:|#)/.test(href))).toEqual([])
  })
})

describe("the site's search", () => {
  const wordsOf = (query: string): string[] =>
    searchOptions.tokenize(query).flatMap((word: string) => searchOptions.processTerm(word))

  it.each([
    ['Forgot password', ['reset']],
    ['I lost my password', ['reset']],
    ['magic link', ['code']],
    ['two-factor', ['second', 'factor']],
    ['sign in with Google', ['providers']],
    ['e-mail verification', ['verify']],
  ])('understands "%s"', (query, words) => {
    expect(wordsOf(query)).toEqual(expect.arrayContaining(words))
  })

  it('leaves other words as they are', () => {
    expect(wordsOf('Outbox, retries')).toEqual(['outbox', 'retries'])
  })

  it('ranks guides before the generated reference', () => {
    const rank = (id: string): number => searchOptions.boostDocument(id)
    expect(rank('/api/fastify-accounts/interfaces/Accounts#requireuser')).toBeLessThan(
      rank('/guides/own-routes#hooks'),
    )
    expect(rank('/docs/api/')).toBeLessThan(rank('/docs/routes#log-in'))
  })
})
