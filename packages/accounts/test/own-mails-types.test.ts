import { baseUrl, outbox, secret } from '@fastify-accounts/test-support/app'
import Fastify from 'fastify'
import { expect, expectTypeOf, test } from 'vitest'
import type { MailFacts } from '../src/emails/mail-facts.js'
import accounts, {
  type Accounts,
  type AccountsOptions,
  type EmailFacts,
  type EmailLayout,
  type MailData,
  type OwnEmails,
} from '../src/index.js'

const content = { subject: 'x', text: 'x', html: 'x' }
const mails = {
  bare: () => content,
  greeting: ({ userId }: EmailFacts) => ({ ...content, subject: userId }),
  welcome: (_: EmailFacts, { plan }: { plan: string }) => ({ ...content, subject: plan }),
  news: (_: EmailFacts, data: { n: number } | undefined, layout: EmailLayout) =>
    layout({ subject: `${data?.n}`, paragraphs: [] }),
} satisfies OwnEmails

type Mail = Accounts<undefined, string, typeof mails>['mail']

test('the data of app.accounts.mail is what the template takes', () => {
  expectTypeOf<MailData<typeof mails.bare>>().toEqualTypeOf<[]>()
  expectTypeOf<MailData<typeof mails.greeting>>().toEqualTypeOf<[]>()
  expectTypeOf<MailData<typeof mails.welcome>>().toEqualTypeOf<[data: { plan: string }]>()
  expectTypeOf<MailData<typeof mails.news>>().toEqualTypeOf<[data?: { n: number } | undefined]>()
  const mail = {} as { send: Mail; any: Accounts['mail'] }
  // Never runs: it must compile, except where it says so.
  const calls = () => [
    mail.send('bare', '1'),
    mail.send('greeting', '1'),
    mail.send('welcome', '1', { plan: 'free' }),
    mail.send('news', '1'),
    mail.send('news', '1', { n: 1 }),
    mail.any('anything', '1', { any: ['data'] }),
    // @ts-expect-error: there is no such email
    mail.send('welcom', '1'),
    // @ts-expect-error: its data is missing
    mail.send('welcome', '1'),
    // @ts-expect-error: its data has another type
    mail.send('welcome', '1', { plan: 1 }),
    // @ts-expect-error: it takes no data
    mail.send('bare', '1', {}),
  ]
  expect(calls).toThrow(TypeError)
})

test('templates in the options need no annotations but that of their data', async () => {
  const options: AccountsOptions = {
    secret,
    baseUrl,
    mailer: outbox(),
    ownEmails: {
      ...mails,
      inline: ({ fields, site }, _, layout) => layout({ subject: site, paragraphs: [`Hi ${fields.name}`] }),
      // Without a type it may be anything.
      loose: (_facts, { plan }) => ({ ...content, subject: plan }),
      later: async (_facts, data: { plan: string }) => ({ ...content, subject: data.plan }),
    },
    emails: {
      'reset-password': ({ url = '' }, _, layout) =>
        layout({ subject: 'Reset', paragraphs: [], button: { label: 'Reset', url } }),
    },
  }
  const app = Fastify()
  await app.register(accounts, options)
  expect(await app.accounts.mail('inline', 'nobody')).toBe(false)
  await app.close()
})

test('what limits a kind of email is told in one word, beside the budget that it needs', () => {
  expectTypeOf<{ link: 'not-me'; notice: 'digest' }>().toExtend<MailFacts>()
  expectTypeOf<{ budget: 'forgotMails'; counted: 'separate' }>().toExtend<MailFacts>()
  expectTypeOf<{ budget: 'newDeviceMails'; counted: 'prepaid'; notice: 'digest' }>().toExtend<MailFacts>()
  expectTypeOf<{ counted: 'separate' }>().not.toExtend<MailFacts>()
  expectTypeOf<{ counted: 'prepaid' }>().not.toExtend<MailFacts>()
  expectTypeOf<{ counted: 'exclusive' }>().not.toExtend<MailFacts>()
  expectTypeOf<{ counted: 'app'; budget: 'forgotMails' }>().not.toExtend<MailFacts>()
  expectTypeOf<{ budgetKey: () => string }>().not.toExtend<MailFacts>()
  expectTypeOf<{ notice: boolean }>().not.toExtend<MailFacts>()
})
