import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { expect, it, onTestFinished } from 'vitest'
import { makeProject, remove, shell, start } from './project.js'

it('docs/guides/api-keys.md leads from the app to a request with a key', async () => {
  const folder = makeProject()
  onTestFinished(() => remove(folder))
  const blocks = blocksOf('docs/guides/api-keys.md')
  writeFileSync(join(folder, 'app.js'), blocks.find(({ code }) => code.includes('listen'))?.code ?? '')
  const app = await start(folder, 'app.js')
  onTestFinished(() => app.stop())

  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
  const output = await shell(folder, commands.join('\n'), { port: app.port })
  expect(output).toMatch(/\{"user":"ada","by":"CI"\}$/)
})
