import { type DeliveredMail, mailerCases } from '@fastify-accounts/testing'
import { expect, test, vi } from 'vitest'
import { createConsoleMailer } from '../../src/defaults/console-mailer.js'
import type { Mail } from '../../src/seams/mailer.js'

const printedMail =
  /^--- mail ---\nTo: .* ?<(?<to>.*)>\nSubject: (?<subject>.*)\nKind: .*\n\n(?<text>(?:.|\n)*)\n--- end of mail ---\n$/

function readMail(printed: string): DeliveredMail {
  const { to, subject, text } = printedMail.exec(printed)?.groups ?? {}
  return { recipients: [`${to}`], subject: `${subject}`, text: `${text}` }
}

const cases = mailerCases(() => {
  const printed: string[] = []
  return {
    mailer: createConsoleMailer((text) => void printed.push(text)),
    delivered: () => printed.map(readMail),
    hidden: ['html', 'messageId'],
  }
})
for (const { name, run } of cases) test(name, run)

const mail: Mail = {
  to: { name: 'Alice', address: 'alice@example.org' },
  userId: null,
  subject: 'Hello',
  text: 'Open https://example.org/\n',
  html: '<p>Hello</p>',
  id: 'an-id',
  kind: 'verify-email',
}

test('prints to standard output by default', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await createConsoleMailer().send(mail)
  const printed = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect(printed).toEqual([
    '--- mail ---\nTo: Alice <alice@example.org>\nSubject: Hello\nKind: verify-email\n\nOpen https://example.org/\n\n--- end of mail ---\n',
  ])
})

test("control characters are escaped, so a terminal doesn't interpret them", async () => {
  const printed: string[] = []
  await createConsoleMailer((text) => void printed.push(text)).send({
    ...mail,
    subject: 'a\u001b[2Jb',
    text: 'one\ttwo\nthree\r\u009b31m\u007f',
  })
  expect(printed.join()).toContain('Subject: a\\x1b[2Jb\n')
  expect(printed.join()).toContain('one\ttwo\nthree\\x0d\\x9b31m\\x7f\n')
})

test("a name that isn't a string is rejected", async () => {
  const to = { name: undefined as unknown as string, address: 'alice@example.org' }
  await expect(createConsoleMailer().send({ ...mail, to })).rejects.toThrow(
    'to.name must be one line of text',
  )
})
