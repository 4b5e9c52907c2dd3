import { breaksLaws, closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import { closable, InvalidArgumentError, type Mail, type Mailer } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { type DeliveredMail, mailerCases, runCases } from '../../src/index.js'

type Fault = (deliver: (mail: Mail) => Promise<void>, delivered: DeliveredMail[]) => Partial<Mailer>
const sabotages: Record<string, [law: string, fault: Fault]> = {
  'sends twice': [
    'law 1: an email goes to its one address',
    (deliver) => ({
      send: async (mail) => {
        await deliver(mail)
        await deliver(mail)
      },
    }),
  ],
  'parses addresses in the name': ['law 1: nothing in the name', splitHeader],
  'lowercases the address': [
    'law 1: an email goes to its one address',
    (deliver) => ({
      send: (mail) => deliver({ ...mail, to: { ...mail.to, address: `${mail.to?.address}`.toLowerCase() } }),
    }),
  ],
  'rejects an invalid address with a temporary error': [
    'law 2: an address',
    (deliver) => ({
      send: (mail) =>
        deliver(mail).catch((error: Error) => {
          throw new Error(error.message)
        }),
    }),
  ],
  'trims the text': [
    'law 4: text arrives',
    (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.trim() }) }),
  ],
  'keeps one recipient at a time': ['law 1: 20 simultaneous emails', shareOneRecipient],
  'keeps one body at a time': ['law 1: of 20 simultaneous emails, each has its own text', shareOneBody],
  'drops the HTML part': [
    'law 4: the HTML part',
    (_, delivered) => ({
      send: async (mail) => {
        refuse(mail)
        const { to, subject, text } = mail
        delivered.push({ recipients: [to.address], subject, text })
      },
    }),
  ],
  'cuts a body at 64 KiB': [
    'law 4: a body of 100 kB arrives whole: html',
    (deliver) => ({ send: (mail) => deliver({ ...mail, html: mail.html.slice(0, 65_536) }) }),
  ],
  'accepts any address': [
    'law 2: an address',
    (_, delivered) => ({ send: async (mail) => void record(mail, delivered) }),
  ],
  'delivers, then rejects': [
    'law 2: an address',
    (deliver, delivered) => ({
      send: (mail) => deliver(mail).finally(() => delivered.push({ recipients: [] })),
    }),
  ],
  'folds line breaks in the subject': [
    'law 2: a line break',
    (deliver) => ({ send: (mail) => deliver({ ...mail, subject: mail.subject.replace(/[\r\n]+/g, ' ') }) }),
  ],
  'drops non-ASCII characters from the address': ['law 3: a domain', asciiOnly],
  'turns a wide @ into a plain one': ['law 3: a character', (_, delivered) => normalize(delivered)],
  'breaks lines at 78 characters': [
    'law 4: a link',
    (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.replace(/.{77}/g, '$&\n') }) }),
  ],
  'changes the HTML part': [
    'law 4: the HTML part',
    (deliver) => ({ send: (mail) => deliver({ ...mail, html: mail.html.replaceAll('&amp;', '&') }) }),
  ],
  'removes a leading dot': [
    'law 4: text arrives',
    (deliver) => ({ send: (mail) => deliver({ ...mail, text: mail.text.replaceAll('\n.', '\n') }) }),
  ],
  'encodes subjects': [
    'law 4: a subject',
    (deliver) => ({
      send: (mail) => deliver({ ...mail, subject: mail.subject.replace(/\P{ASCII}/gu, '?') }),
    }),
  ],
  'close does not wait': ['law 10:', (deliver) => closesBadly({ send: deliver }, { waits: false })],
  'close may be called once': ['law 10:', (deliver) => closesBadly({ send: deliver }, { twice: false })],
  'close drops pending emails': ['law 10:', dropOnClose],
}
for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test(`detected by ${law}: ${fault}`, async () => {
    await breaksLaws(
      mailerCases(() => harness(sabotage)),
      law,
    )
  })
}

test('a correct mailer with a harness that reports everything passes all', async () => {
  const cases = mailerCases(() => harness((deliver) => closable({ send: deliver }, () => {})))
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

test('a harness that only reports recipients is enough, and is closed', async () => {
  let closed = 0
  const cases = mailerCases(() => {
    const { mailer, delivered } = harness(() => ({}))
    return {
      mailer,
      delivered: async () => delivered().map(({ recipients }) => ({ recipients })),
      hidden: ['subject', 'text', 'html', 'messageId'],
      close: async () => {
        closed += 1
      },
    }
  })
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
  expect(closed).toBe(cases.length)
})

function harness(sabotage: Fault) {
  const delivered: DeliveredMail[] = []
  const send = async (mail: Mail): Promise<void> => {
    refuse(mail)
    record(mail, delivered)
  }
  return { mailer: { send, ...sabotage(send, delivered) }, delivered: () => delivered.slice() }
}

function refuse(mail: Mail): void {
  const lines = `${mail.to?.name}${mail.subject}`
  if (!/^[^\s"(),:;<>@＠]+@[^\s"(),:;<>@＠\0]+$/.test(mail.to?.address) || /[\r\n]/.test(lines)) {
    throw new InvalidArgumentError('refused')
  }
  if (typeof mail.to.address !== 'string') throw new InvalidArgumentError('refused')
}

function record({ id, to, subject, text, html }: Mail, delivered: DeliveredMail[]): void {
  delivered.push({ recipients: [to.address], subject, text, html, messageId: id })
}

function splitHeader(deliver: (mail: Mail) => Promise<void>, delivered: DeliveredMail[]): Partial<Mailer> {
  return {
    send: async (mail) => {
      await deliver(mail)
      const found = `${mail.to.name} <${mail.to.address}>`.match(/[^\s<>,;:"]+@[^\s<>,;:"]+/g)
      delivered.splice(-1, 1, { recipients: found ?? [] })
    },
  }
}

function shareOneRecipient(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
  let to: Mail['to']
  return {
    send: async (mail) => {
      to = mail.to
      await later()
      return deliver({ ...mail, to })
    },
  }
}

function shareOneBody(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
  let shared: Mail
  return {
    send: async (mail) => {
      shared = mail
      await later()
      return deliver({ ...shared, to: mail.to })
    },
  }
}

function asciiOnly(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
  return {
    send: (mail) => {
      const address = `${mail.to.address}`.replace(/\P{ASCII}/gu, '')
      return deliver({ ...mail, to: { ...mail.to, address } })
    },
  }
}

function normalize(delivered: DeliveredMail[]): Partial<Mailer> {
  return {
    send: async (mail) => {
      record({ ...mail, to: { ...mail.to, address: `${mail.to?.address}`.normalize('NFKC') } }, delivered)
    },
  }
}

function dropOnClose(deliver: (mail: Mail) => Promise<void>): Partial<Mailer> {
  let closed = false
  return {
    send: async (mail) => {
      await later()
      if (!closed) await deliver(mail)
    },
    close: async () => {
      closed = true
      await later()
      await later()
    },
  }
}
