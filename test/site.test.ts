import { indexSite, sections } from '@fastify-accounts/test-support/site-search'
import { read } from '@fastify-accounts/test-support/source'
import * as suites from '@fastify-accounts/testing'
import * as organizationSuites from '@fastify-accounts/testing/organizations'
import { describe, expect, it } from 'vitest'

interface Page {
  text: string
  link: string
  file: string
}

const ofSite = (name: string) => import(/* @vite-ignore */ `../site/${name}.js`)
const { llmsFullTxt, llmsGuidesTxt, llmsTxt } = await ofSite('llms')
const { readMap } = await ofSite('map')
const { indexOptions, searchOptions } = await ofSite('search')
const { searchWords }: { searchWords: Record<string, string[]> } = await ofSite('search-words')

const facts = { homepage: 'https://example.org/docs/', description: 'User accounts for Fastify.' }
const pages: Page[] = readMap().flatMap(({ items }: { items: Page[] }) => items)

describe('the evidence on the front page', () => {
  it('is what the tests have and the benchmarks measured; `-u` writes it', async () => {
    const areas: Record<string, string[]> = JSON.parse(read('test/catalogue/ids.json'))
    const casesOf = Object.entries({ ...suites, ...organizationSuites }).filter(([name]) =>
      name.endsWith('Cases'),
    )
    const notMade = (): never => {
      throw new Error('no case runs here')
    }
    const cases = casesOf
      .filter(([name]) => name !== 'runCases')
      .flatMap(([, suite]) => (suite as (make: () => never) => unknown[])(notMade))
    const [, ours = '', , theirs = ''] =
      /^\| Who am I, logged in \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|/m.exec(read('docs/benchmarks.md')) ?? []
    const numberOf = (cell: string) => Number(cell.replaceAll(',', ''))
    const evidence = {
      securityCases: Object.values(areas).flat().length,
      laws: cases.length,
      timesBetterAuth: Math.floor(numberOf(ours) / numberOf(theirs)),
    }
    await expect(`${JSON.stringify(evidence, null, 2)}\n`).toMatchFileSnapshot('../site/evidence.json')
  })
})

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

describe('llms-guides.txt', () => {
  const text: string = llmsGuidesTxt(facts)

  it('has the pages from Start to Operations, and no others', () => {
    const has = ({ file }: Page): boolean => text.includes(`\n${read(file).split('\n')[0]}\n`)
    const groups: { text: string; items: Page[] }[] = readMap()
    expect(groups.filter(({ items }) => items.every(has)).map(({ text: name }) => name)).toEqual([
      ...['Start', 'Your app', 'Ways to log in', 'Clients'],
      ...['Your database', 'Users and privacy', 'Moving in', 'Operations'],
    ])
    expect(groups.slice(8).flatMap(({ items }) => items.filter(has))).toEqual([])
  })

  it('is named in llms.txt, with the file of all pages', () => {
    for (const name of ['llms-guides.txt', 'llms-full.txt'])
      expect(llmsTxt(facts)).toContain(`(https://example.org/docs/${name}): `)
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
  const index = indexSite()
  const phrases = Object.entries(searchWords).flatMap(([page, words]) =>
    words.map((phrase): [string, string] => [phrase, page]),
  )
  const isOf = (id: string | undefined, page: string): boolean =>
    id === `/${page}` || (id?.startsWith(`/${page}#`) ?? false)

  it('knows the words for every page that people look for', () => {
    expect(phrases.length).toBeGreaterThan(300)
    const ids = sections.map(({ id }) => id)
    expect(Object.keys(searchWords).filter((page) => !ids.some((id) => isOf(id, page)))).toEqual([])
  })

  it('shows the page of each of these words first', () => {
    const misses = phrases.flatMap(([phrase, page]) => {
      const [first] = index.search(phrase)
      return isOf(first, page) ? [] : [`${phrase}: expected ${page}, found ${first}`]
    })
    expect(misses).toEqual([])
  })

  it('looks for the words of a sentence, but for those that say nothing', () => {
    expect(isOf(index.search('How do I sign in with Google?')[0], 'providers')).toBe(true)
    expect(isOf(index.search('I lost my password')[0], 'routes#reset-the-password')).toBe(true)
    expect(index.search('with the')).toEqual([])
  })

  it('finds misspelled and unfinished words', () => {
    expect(isOf(index.search('captha')[0], 'guides/own-rules')).toBe(true)
    expect(isOf(index.search('cloudfl')[0], 'guides/proxy')).toBe(true)
  })

  it('ranks guides before the generated reference', () => {
    const rank = (id: string): number => searchOptions.boostDocument(id)
    expect(rank('/api/fastify-accounts/interfaces/Accounts#requireuser')).toBeLessThan(
      rank('/guides/own-routes#hooks'),
    )
    expect(rank('/docs/api/')).toBeLessThan(rank('/docs/routes#log-in'))
  })

  it('has functions that work by their own text, as VitePress sends them to the browser', () => {
    const { processTerm } = indexOptions()
    const sent: (term: string) => string | null = new Function(`return ${processTerm}`)()
    expect(['Roles', 'the'].map(sent)).toEqual(['roles', null])
  })
})
