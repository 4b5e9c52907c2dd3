import { domainToASCII } from 'node:url'
import { InvalidArgumentError, type Mail, type Mailer } from 'fastify-accounts'
import { noted, raced } from './calls.js'
import { type ConformanceCase, casesOf, type Laws, notChecked } from './cases.js'
import { check, race, range, rejects, same, scramble, show } from './checks.js'

/** An email as it arrived. A part that is missing is a failure, unless `hidden` of the harness names it. */
export interface DeliveredMail {
  /** The envelope's recipients. */
  recipients: string[]
  subject?: string
  /** The header `Message-ID`, or whatever else the mailer makes from the email's `id`. */
  messageId?: string
  /** The plain text, decoded; lines end with `\n`. */
  text?: string
  /** The HTML part, decoded. */
  html?: string
}

type MailPart = Exclude<keyof DeliveredMail, 'recipients'>

/** A mailer, and what it delivered. */
export interface MailerHarness {
  mailer: Mailer
  /** All emails so far, in order of arrival. */
  delivered(): Promise<DeliveredMail[]> | DeliveredMail[]
  /** The parts that can't be seen where the emails arrive, so their laws aren't checked. Default: none. */
  hidden?: readonly MailPart[] | undefined
  /** Ends what the harness started, such as a test server. */
  close?(): Promise<void>
}

/**
 * The conformance suite of a `Mailer`.
 *
 * Not included: 5 and 9 (the plugin does escaping and queueing), 6, 7 and 11 (servers that are silent, refuse or
 * downgrade need tests of your own).
 *
 * @param makeMailer makes a new mailer at each call, with nothing delivered yet
 */
export function mailerCases(makeMailer: () => Promise<MailerHarness> | MailerHarness): ConformanceCase[] {
  return casesOf(
    laws,
    async () => {
      const harness = await makeMailer()
      return {
        mailer: noted(harness.mailer),
        delivered: () => harness.delivered(),
        hidden: harness.hidden,
        close: async () => harness.close?.(),
      }
    },
    async ({ mailer, close }) => {
      await mailer.close?.()
      await close()
    },
  )
}

const link = `https://accounts.example.org/reset/MDE5M2Y=/${scramble(87)}~.-_/?a=1&b=%3D%20#=3D`

function newMail(overrides: Partial<Mail> = {}): Mail {
  return {
    id: 'w7PnCc0cAhG2Vw_-q1XbJ3mB8rT4yLz5sDfK6eHuNxo',
    userId: '01935f3e-7c1a-7b5e-9d5f-4f2a6c8e0b13',
    to: { name: 'Alice', address: 'alice@example.org' },
    subject: 'Set a new password',
    text: `Hello,\n\nopen ${link}\n`,
    html: `<p>Hello, <a href="${link.replaceAll('&', '&amp;')}">open</a></p>\n`,
    kind: 'reset-password',
    ...overrides,
  }
}

/** Emails to as many people, each with a link of its own. */
function mailsOf(count: number): Mail[] {
  return range(count).map((index) => ({
    ...mailTo(`user-${index}@example.org`),
    id: `mail-${index}`,
    subject: `Set a new password, user-${index}`,
    text: `Hello user-${index},\n\nopen ${link}&user=${index}\n`,
    html: `<p>Hello user-${index}, <a href="${link.replaceAll('&', '&amp;')}&amp;user=${index}">open</a></p>\n`,
  }))
}

function mailTo(address: unknown): Mail {
  return newMail({ to: { name: 'Alice', address: address as string } })
}

const laws: Laws<MailerHarness> = {
  'law 1: an email goes to its one address': async ({ mailer, delivered }) => {
    for (const address of [
      'alice@example.org',
      'a.b+c-d_e@sub.example.co',
      // The part before the @ is up to the mailbox's server, including its case (RFC 5321, 2.4).
      'Alice.McGee@example.org',
      "o'neil&co!#$%*/=?^`{|}~@example.org",
    ]) {
      await mailer.send(mailTo(address))
      same((await delivered()).at(-1)?.recipients, [address], 'the recipients')
    }
    same((await delivered()).length, 4, 'the number of mails')
  },

  'law 1: nothing in the name is an address': async ({ mailer, delivered }) => {
    const names = [
      'Doe, John',
      'x <mallory@example.net>',
      'mallory@example.net',
      'a@example.net, b@example.net; c@example.net',
      'friends: mallory@example.net;',
      '"quoted" (comment)',
      'a\\',
      'Åse 😀 مرحبا',
      '',
    ]
    for (const name of names) {
      await mailer.send(newMail({ to: { name, address: 'alice@example.org' } }))
      same(
        (await delivered()).at(-1)?.recipients,
        ['alice@example.org'],
        `the recipients with the name ${show(name)}`,
      )
    }
    same((await delivered()).length, names.length, 'the number of mails')
  },

  'law 1: 20 simultaneous emails arrive once each, at their own address': async ({ mailer, delivered }) => {
    const mails = mailsOf(20)
    await raced(mails.map((mail) => () => mailer.send(mail)))
    const recipients = (await delivered()).flatMap((mail) => mail.recipients)
    same(recipients.sort(), mails.map(({ to }) => to.address).sort(), 'the recipients')
  },

  ...Object.fromEntries(
    (['subject', 'text', 'html'] as const).map((part) => [
      `law 1: of 20 simultaneous emails, each has its own ${part}`,
      async ({ mailer, delivered, hidden }: MailerHarness) => {
        const mails = mailsOf(20)
        await raced(mails.map((mail) => () => mailer.send(mail)))
        const arrived = await delivered()
        for (const { to, ...mail } of mails) {
          const found = arrived.find(({ recipients }) => recipients.includes(to.address))
          same(told(part, found, hidden).trimEnd(), mail[part].trimEnd(), `the ${part} for ${to.address}`)
        }
      },
    ]),
  ),

  'law 2: an address that is not plain is rejected with InvalidArgumentError, and nothing is delivered':
    async ({ mailer, delivered }) => {
      const addresses: unknown[] = [
        'alice@example.org\r\nBcc: mallory@example.net',
        'alice@example.org\nBcc: mallory@example.net',
        'alice@example.org\r',
        'alice@example.org\0',
        'alice@example.org\0@example.net',
        '"alice"@example.org',
        '"alice@example.net"@example.org',
        'alice(comment)@example.org',
        'alice@example.org(comment)',
        'alice@mallory.example@example.org',
        'alice@example.org@mallory.example',
        'alice@example.org,mallory@example.net',
        'alice@example.org;mallory@example.net',
        'alice@example.org, mallory@example.net',
        'alice@example.org mallory@example.net',
        'Alice <alice@example.org>',
        '<alice@example.org>',
        'friends:alice@example.org;',
        'alice',
        '@example.org',
        'alice@',
        '',
        undefined,
        null,
        ['alice@example.org'],
        { address: 'alice@example.org' },
      ]
      for (const address of addresses) {
        await rejects(InvalidArgumentError, () => mailer.send(mailTo(address)), `send() to ${show(address)}`)
      }
      await rejects(Error, () => mailer.send(Object.assign(newMail(), { to: null })), 'send() to null')
      same(await delivered(), [], 'the mails delivered')
      await mailer.send(newMail())
      same((await delivered()).length, 1, 'the number of mails after a good one')
    },

  'law 2: a line break in the subject or the name is rejected, and nothing is delivered': async ({
    mailer,
    delivered,
  }) => {
    for (const text of [
      'Hello\r\nBcc: mallory@example.net',
      'Hello\nBcc: mallory@example.net',
      'Hello\r',
      '\n',
    ]) {
      await rejects(
        Error,
        () => mailer.send(newMail({ subject: text })),
        `send() with the subject ${show(text)}`,
      )
      const to = { name: text, address: 'alice@example.org' }
      await rejects(Error, () => mailer.send(newMail({ to })), `send() with the name ${show(text)}`)
    }
    same(await delivered(), [], 'the mails delivered')
  },

  'law 3: a domain in another script is rejected, or reached under its ASCII name': async ({
    mailer,
    delivered,
  }) => {
    for (const domain of ['bücher.example', 'пример.example', 'straße.example']) {
      const address = `alice@${domain}`
      const { values } = await race([() => mailer.send(mailTo(address)), () => mailer.send(mailTo(address))])
      const recipients = (await delivered())
        .splice(-values.length, values.length)
        .map((mail) => mail.recipients)
      for (const [recipient, ...others] of recipients) {
        const reached = [address, `alice@${domainToASCII(domain)}`]
        check(
          reached.includes(`${recipient}`),
          `the recipient is ${show(recipient)}, not one of ${show(reached)}`,
        )
        same(others, [], 'more recipients')
      }
    }
  },

  'law 3: a character that some libraries turn into @ is rejected': async ({ mailer, delivered }) => {
    for (const address of [
      'mallory＠example.net@example.org',
      'alice@example.org＠example.net',
      'alice＠example.org',
    ]) {
      const { values } = await race([() => mailer.send(mailTo(address))])
      const recipients = (await delivered()).map((mail) => mail.recipients.join())
      check(values.length === 0, `send() to ${show(address)} went to ${show(recipients)}`)
    }
  },

  'law 4: a link arrives byte for byte': async ({ mailer, delivered, hidden }) => {
    await mailer.send(newMail())
    const text = told('text', (await delivered())[0], hidden)
    check(text.includes(link), `the link is not in ${show(text)}`)
  },

  'law 4: text arrives unchanged: white space, long lines, other scripts, dots and "From" at the start of a line':
    async ({ mailer, delivered, hidden }) => {
      const text = `  Hellø 😀 مرحبا\n.\n..two dots\n\n\n.${scramble(1200)}\nFrom here\n  indented\n=3D = =\n--\n${link}\n`
      await mailer.send(newMail({ text }))
      const [arrived] = await delivered()
      same(arrived?.recipients, ['alice@example.org'], 'the recipients')
      // In an email every line ends, so a final line break can't be detected.
      same(told('text', arrived, hidden).replace(/\n+$/, ''), text.trimEnd(), 'the text')
    },

  'law 4: the HTML part arrives unchanged': async ({ mailer, delivered, hidden }) => {
    const long = `<p>Hellø 😀</p>\n<p>${scramble(2000)}</p>\n`
    for (const { html } of [newMail(), newMail({ html: long })]) {
      await mailer.send(newMail({ html }))
      same(told('html', (await delivered()).at(-1), hidden).trimEnd(), html.trimEnd(), 'the HTML part')
    }
  },

  ...Object.fromEntries(
    (['text', 'html'] as const).map((part) => [
      `law 4: a body of 100 kB arrives whole: ${part}`,
      async ({ mailer, delivered, hidden }: MailerHarness) => {
        const long = `${range(1000)
          .map((line) => `${line} ${scramble(95 + (line % 5))}`)
          .join('\n')}\n`
        await mailer.send(newMail({ [part]: part === 'html' ? `<pre>${long}</pre>\n` : long }))
        const arrived = told(part, (await delivered())[0], hidden).trimEnd()
        const sent = (part === 'html' ? `<pre>${long}</pre>` : long).trimEnd()
        same(arrived.length, sent.length, `the length of ${part}`)
        check(arrived === sent, `${part} is not what was sent`)
      },
    ]),
  ),

  'law 4: a subject in another script arrives unchanged': async ({ mailer, delivered, hidden }) => {
    const subjects = ['Passwort zurücksetzen', 'パスワードの再設定', '😀 =?utf-8?Q?no?=', 'ä'.repeat(150)]
    for (const subject of subjects) await mailer.send(newMail({ subject }))
    const arrived = await delivered()
    same(arrived.length, subjects.length, 'the number of mails')
    for (const [index, mail] of arrived.entries())
      same(told('subject', mail, hidden), subjects[index], 'the subject')
  },

  'law 8: an email that is sent again has the same Message-ID, and no other email has it': async ({
    mailer,
    delivered,
    hidden,
  }) => {
    for (const mail of [newMail(), newMail({ text: 'another link\n' }), newMail({ id: 'another-id' })]) {
      await mailer.send(mail)
    }
    const [first, again, other] = (await delivered()).map((mail) => told('messageId', mail, hidden))
    same(again, first, 'the Message-ID of the mail that was sent again')
    check(other !== first, 'the Message-ID of another mail is the same')
  },

  'law 10: close waits for emails in progress, and may be called twice': async ({ mailer, delivered }) => {
    // Closing is optional: a mailer may have nothing to free.
    if (mailer.close === undefined) return notChecked('close')
    await mailer.send(newMail())
    let finished = 0
    const underWay = race(
      range(5).map(() => async () => {
        await mailer.send(newMail()).finally(() => {
          finished += 1
        })
      }),
    )
    await mailer.close()
    await new Promise((resolve) => setImmediate(resolve))
    same(finished, 5, 'the number of mails that had finished when close() was done')
    same((await delivered()).length, 1 + (await underWay).values.length, 'the number of mails delivered')
    await mailer.close()
  },
}

/** A part of a delivered email. Not checked if it can't be seen. */
function told(part: MailPart, mail: DeliveredMail | undefined, hidden: MailerHarness['hidden'] = []): string {
  if (hidden.includes(part)) return notChecked(part)
  check(mail !== undefined, 'nothing was delivered')
  const found = mail[part]
  check(
    found !== undefined,
    `the email arrived without ${part}; list it in \`hidden\` of the harness if it can't be seen there`,
  )
  return found
}
