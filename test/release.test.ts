import { spawnSync } from 'node:child_process'
import { read, root } from '@fastify-accounts/test-support/source'
import { describe, expect, it } from 'vitest'

const { stdout } = spawnSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
const pages = stdout.trim().split('\n')

describe('before the first release', () => {
  const unreleased = !/^## \[\d/m.test(read('CHANGELOG.md'))

  it('only one place says that the packages are not on npm, and none does afterwards', () => {
    const says =
      /\b(?:not|n't|until) (?:[\w ]+ )?on npm\b|\bon npm yet\b|\bonce (?:it is|they are) published\b/i
    expect(pages).toContain('README.md')
    expect(pages.filter((page) => says.test(read(page)))).toEqual(unreleased ? ['docs/start.md'] : [])
  })
})
