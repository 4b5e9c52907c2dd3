import { goodPassword } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

const fields = {
  type: 'object',
  properties: { nick: { type: 'string', title: 'Nick <b>', maxLength: 3 } },
} as const

it('names the field of each fault at the top', async () => {
  const { app } = await pagesApp({}, { users: { fields } })
  const visitor = browser(app)
  await visitor.open('/signup/')
  const button = /<button[^>]*data-kind="primary"[^>]*>([^<]*)</.exec(visitor.page.html)?.[1] ?? ''
  const typed = { username: 'ada', email: 'ada@example.org', password: goodPassword, nick: 'too long' }
  const { html } = await visitor.submit(button, typed)
  const [, summary = ''] = /data-part="summary"[^>]*>([\s\S]*?)<\/div>/.exec(html) ?? []
  const lines = [...summary.matchAll(/<a href="#(\w+)">(.*?)<\/a>/g)].map(([, field, text]) => [field, text])
  expect(lines).toEqual([['nick', expect.stringMatching(/^Nick &[^;]+;b&[^;]+; \(optional\): \S/)]])
})
