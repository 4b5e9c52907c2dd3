import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from './source.js'

/** A piece of code on a page. */
export interface Block {
  page: string
  /** The line of the page that its code begins on. */
  line: number
  /** The language after the fence: `ts`, `sh` … */
  language: string
  code: string
}

/** The pages that readers copy from. */
export const pages: string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/server/README.md',
  ...readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((name) => existsSync(join(root, name))),
  ...markdownIn('docs'),
]

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
}

export function blocksOf(page: string): Block[] {
  const text = read(page)
  const fences = [...text.matchAll(/^(( *)`{3,})(\w*)\n(.*?)^\1$/gms)]
  // A diagram is drawn where the page is shown: there is nothing to run.
  return fences
    .filter(([, , , language]) => language !== 'mermaid')
    .map(({ index, 2: indent = '', 3: language = '', 4: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length + 1,
      language,
      // In a list it is indented.
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }))
}
