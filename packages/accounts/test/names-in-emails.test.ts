import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import { mailKinds } from '@fastify-accounts/test-support/mails'
import { describe, expect, test } from 'vitest'
import { unlinked, unlinkedName } from '../src/emails/harmless-text.js'
import { usernameKey } from '../src/identifiers/username.js'
import { type EmailFacts, escapeHtml } from '../src/index.js'

const address = 'ada@example.org'

/** Each name, and as a proven address gets it; an unproven one gets it only if both are the same. */
const names: [name: string, inEmails: string][] = [
  ['ada', 'ada'],
  ['user-0123456789abcdef0123', 'user-0123456789abcdef0123'],
  ['J. R. Smith', 'J. R. Smith'],
  ['ends.', 'ends.'],
  ['a+b_c-d', 'a+b_c-d'],
  [address, address],
  ['Ada@Example.ORG', 'Ada@Example.ORG'],
  ['evil.example', 'evil․example'],
  ['www.evil.example', 'www․evil․example'],
  [
    'your-account-is-locked.log-in-at.bank-secure.evil.example',
    'your-account-is-locked․log-in-at․bank-secure․evil․example',
  ],
  ['win+1000.evil.example', 'win+1000․evil․example'],
  ['Ａdmin.evil.example', 'Ａdmin․evil․example'],
  ['evil．example', 'evil․example'],
  ['evil。example', 'evil․example'],
  ['evil․example', 'evil․example'],
  ['אבג.evil.example', 'אבג․evil․example'],
  ['a_.b', 'a_․b'],
  ['see evil.example now', 'see evil․example now'],
  ['eve@evil.example', 'eve＠evil․example'],
  ['ｅve＠evil.example', 'ｅve＠evil․example'],
  ['https://evil', 'https：//evil'],
  ['mailto:eve', 'mailto：eve'],
]

test.each(['+18885550199', 'call-1-888-555-0199-to-cancel'])(
  'the name %s, a phone number, is left out to an unproven address',
  (name) => {
    expect(unlinkedName(name, { address, isProven: false })).toBeNull()
    expect(unlinkedName(name, { address, isProven: true })).toBe(name)
  },
)

describe.each(names)('the name %s', (name, inEmails) => {
  test(`is ${inEmails} to a proven address, and left out to an unproven one if it looks like a link`, () => {
    expect(unlinkedName(name, { address, isProven: true })).toBe(inEmails)
    const isPlain = name === inEmails && !name.includes('․')
    expect(unlinkedName(name, { address, isProven: false })).toBe(isPlain ? name : null)
    // Pasted into a login, it is the same name. Nobody can choose one with an ideographic full stop.
    if (!name.includes('。')) expect(usernameKey(unlinked(name))).toBe(usernameKey(name))
  })
})

test('no name stays none', () => {
  expect(unlinkedName(null, { address, isProven: false })).toBeNull()
})

test('a template of yours gets the name like the built-in emails', async () => {
  const told: [string, string | null][] = []
  const note = ({ address, username }: EmailFacts) => {
    told.push([address, username])
    return { subject: 'x', text: 'x', html: escapeHtml('x') }
  }
  const service = await testApp({
    emails: Object.fromEntries(mailKinds.map((kind) => [kind, note])),
  })
  const user = { username: 'evil.example', password: goodPassword, email: address }
  const { id } = await service.app.accounts.createUser(user)
  await service.send('POST', '/forgot/', { email: address })
  const mail = await service.mail('reset-password')
  await service.app.accounts.updateUser(id, { isVerified: true })
  service.mails.length = 0
  await service.send('POST', '/forgot/', { email: address })
  expect([mail.to.name, (await service.mail('reset-password')).to.name]).toEqual(['', 'evil․example'])
  expect(told).toEqual([
    [address, null],
    [address, 'evil․example'],
  ])
})
