import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import { startSmtp } from '@fastify-accounts/test-support/smtp'
import { mailerCases } from '@fastify-accounts/testing'
import { test } from 'vitest'

const cases = mailerCases(async () => {
  const server = await startSmtp()
  return {
    mailer: createNodemailerMailer({
      url: `smtp://127.0.0.1:${server.port}`,
      from: 'Accounts <no-reply@example.com>',
    }),
    delivered: () =>
      server.arrived.map(({ recipients, mail }) => ({
        recipients,
        subject: mail.subject ?? '',
        messageId: mail.messageId ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
      })),
    close: server.close,
  }
})

for (const { name, run } of cases) test(name, run)
