import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import { closable, InvalidArgumentError, type Mail, type Mailer } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { type DeliveredMail, mailerCases, runCases } from '../../src/index.js'
import { detects, fails, given, type Mistake, type Mutations, shares } from './mutations.js'

/** A mailer that delivers into a list. */
interface Postbox extends Mailer {
  delivered: DeliveredMail[]
}
const refuse = (mail: Mail): void => {
  const lines = `${mail.to?.name}${mail.subject}`
  const isRefused =
    typeof mail.to?.address !== 'string' ||
    !/^[^\s"(),:;<>@＠]+@[^\s"(),:;<>@＠\0]+$/.test(mail.to.address) ||
    /[\r\n]/.test(lines)
  if (isRefused) throw new InvalidArgumentError('refused')
}
const record = ({ delivered }: Pick<Postbox, 'delivered'>, { id, to, subject, text, html }: Mail): void =>
  void delivered.push({ recipients: [to.address], subject, text, html, messageId: id })

function harness(mutate: (postbox: Postbox) => Postbox) {
  const delivered: DeliveredMail[] = []
  const send = async (mail: Mail): Promise<void> => {
    refuse(mail)
    record({ delivered }, mail)
  }
  const { delivered: _, ...mailer } = mutate({ send, delivered })
  return { mailer, delivered: () => delivered.slice() }
}

type Fault = Mistake<Postbox, 'send'>
/** Another email is sent. */
const sends = (other: (mail: Mail) => Partial<Mail>): Fault => given((mail) => ({ ...mail, ...other(mail) }))
const addresses = (other: (address: string) => string): Fault =>
  sends(({ to }) => ({ to: { ...to, address: other(`${to?.address}`) } }))

const mutations: Mutations<Postbox> = {
  'law 1: an email goes to its one address': {
    send: {
      twice: (call) => async (mail) => {
        await call(mail)
        await call(mail)
      },
      'in lower case': addresses((address) => address.toLowerCase()),
    },
  },
  'law 1: nothing in the name': {
    send: {
      'addresses in it are parsed':
        (call, { delivered }) =>
        async (mail) => {
          await call(mail)
          const found = `${mail.to.name} <${mail.to.address}>`.match(/[^\s<>,;:"]+@[^\s<>,;:"]+/g)
          delivered.splice(-1, 1, { recipients: found ?? [] })
        },
    },
  },
  'law 1: 20 simultaneous emails': {
    send: {
      'one recipient is kept': (call) => {
        const send = shares((to: Mail['to'], mail: Mail) => call({ ...mail, to }))
        return (mail) => send(mail.to, mail)
      },
    },
  },
  'law 1: of 20 simultaneous emails, each has its own text': {
    send: {
      'one body is kept': (call) => {
        const send = shares((body: Mail, to: Mail['to']) => call({ ...body, to }))
        return (mail) => send(mail, mail.to)
      },
    },
  },
  'law 2: an address': {
    send: {
      'the error is temporary': fails((error) => new Error((error as Error).message)),
      'any is accepted': (_, postbox) => async (mail) => record(postbox, mail),
      'it delivers, then rejects':
        (call, { delivered }) =>
        (mail) =>
          call(mail).finally(() => delivered.push({ recipients: [] })),
    },
  },
  'law 2: a line break': {
    send: { 'it is folded': sends(({ subject }) => ({ subject: subject.replace(/[\r\n]+/g, ' ') })) },
  },
  'law 3: a domain': {
    send: { 'other than ASCII is dropped': addresses((address) => address.replace(/\P{ASCII}/gu, '')) },
  },
  'law 3: a character': {
    send: {
      'a wide @ becomes a plain one': (_, postbox) => (mail) =>
        addresses((address) => address.normalize('NFKC'))(async (other) => record(postbox, other), postbox)(
          mail,
        ),
    },
  },
  'law 4: text arrives': {
    send: {
      trimmed: sends(({ text }) => ({ text: text.trim() })),
      'without a leading dot': sends(({ text }) => ({ text: text.replaceAll('\n.', '\n') })),
    },
  },
  'law 4: the HTML part': {
    send: {
      'it is dropped':
        (_, { delivered }) =>
        async (mail) => {
          refuse(mail)
          const { to, subject, text } = mail
          delivered.push({ recipients: [to.address], subject, text })
        },
      'it is changed': sends(({ html }) => ({ html: html.replaceAll('&amp;', '&') })),
    },
  },
  'law 4: a body of 100 kB arrives whole: html': {
    send: { 'it is cut': sends(({ html }) => ({ html: html.slice(0, 65_536) })) },
  },
  'law 4: a link': {
    send: { 'lines are broken': sends(({ text }) => ({ text: text.replace(/.{77}/g, '$&\n') })) },
  },
  'law 4: a subject': {
    send: {
      'other than ASCII is replaced': sends(({ subject }) => ({
        subject: subject.replace(/\P{ASCII}/gu, '?'),
      })),
    },
  },
  'law 10:': {
    several: {
      'close does not wait': (postbox) => closesBadly(postbox, { waits: false }),
      'close may be called once': (postbox) => closesBadly(postbox, { twice: false }),
      'close drops pending emails': ({ send }) => {
        let closed = false
        return {
          send: async (mail) => {
            await later()
            if (!closed) await send(mail)
          },
          close: async () => {
            closed = true
            await later()
            await later()
          },
        }
      },
    },
  },
}
detects<Postbox>((mutate) => mailerCases(() => harness(mutate)), mutations)

test('a correct mailer with a harness that reports everything passes all', async () => {
  const cases = mailerCases(() =>
    harness(({ send, delivered }) => ({ ...closable({ send }, () => {}), delivered })),
  )
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

test('a harness that only reports recipients is enough, and is closed', async () => {
  let closed = 0
  const cases = mailerCases(() => {
    const { mailer, delivered } = harness((postbox) => postbox)
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
