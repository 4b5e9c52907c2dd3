import { goodPassword, linkPath, linkTarget, otherPassword } from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { OwnershipEvent } from 'fastify-accounts/features'
import { type Account, type Column, expectStatus, mailedLink, newAddressOf } from './accounts.js'
import type { Seen } from './seen.js'
import type { Service } from './service.js'

/** A new owner may send more with what proves the address. */
export type Profile = { username?: string; profile?: 'keep' | 'drop' }

/** One of the ways in which an event happens. */
export interface Way {
  /** The states in which it can happen. */
  at: readonly Column[]
  /** Whether the account is to get another address, which is invited instead of its own. Default `false`. */
  moves?: boolean
  /** @returns the response; absent if the app's own code did it */
  happen(service: Service, account: Account, profile: Profile): Promise<Response | undefined>
  /** What a new owner can choose. Default: nothing. */
  choice?: 'profile' | 'username and profile'
  /** What differs in this way. Default: nothing. */
  seen?: Partial<Seen>
}

const unproven = ['unproven, never used', 'unproven, used'] as const
const plain = ['plainly proven, never used', 'plainly proven, used'] as const
const addressed = [...unproven, ...plain, 'proven'] as const
const all = ['no address', ...addressed] as const
const logsIn = ['no address', 'unproven, used', 'plainly proven, used', 'proven'] as const

/** The two fields of a new password. */
export const choice = (password: string) => ({ new_password: password, confirm_password: password })
const newPassword = choice(otherPassword)

const addressOf = ({ email }: Account): string => {
  if (email === null) throw new Error('the account has no address')
  return email
}

export async function resetByLink(service: Service, browser: Visitor, email: string, body: object) {
  const link = await mailedLink(service, browser, '/forgot/', 'reset-password', email)
  return browser.send('POST', link, body)
}

async function resetByCode(service: Service, browser: Visitor, email: string, profile: Profile) {
  await mailedLink(service, browser, '/forgot/', 'reset-password', email)
  const code = codeIn(await service.mail('reset-password', email))
  return browser.send('POST', '/reset/code/', { code, ...newPassword, ...profile })
}

async function logInByCode(service: Service, browser: Visitor, email: string, profile: Profile) {
  expectStatus(await browser.send('POST', '/login/code/', { email }), 202)
  const code = codeIn(await service.mail('login-code', email))
  return browser.send('POST', '/login/code/confirm/', { code, ...profile })
}

async function changeAddress(service: Service, { device, username }: Account, browser: Visitor) {
  const email = newAddressOf(username)
  await device?.send('POST', '/change-email/', { email })
  return browser.send('POST', linkTarget(await service.mail('change-email', email)))
}

/** Of the app's own code, which has no response. */
const done = (call: Promise<unknown>): Promise<undefined> => call.then(() => undefined)

const inBrowserOf = ({ device, maker }: Account): Visitor => device ?? maker

/** Each event of the table, in every way that it can happen. */
export const ways: Readonly<Record<OwnershipEvent, Readonly<Record<string, Way>>>> = {
  'proved-by-maker': {
    'the verification link in the browser of the sign-up': {
      at: addressed,
      happen: (_service, { maker, verifyLink = '' }) => maker.send('POST', verifyLink),
    },
    'the verification link elsewhere, with the password': {
      at: addressed,
      happen: (service, { verifyLink = '' }) =>
        service.send('POST', `${verifyLink}password/`, { password: goodPassword }),
    },
    'a login code in the browser of the sign-up': {
      at: addressed,
      happen: (service, account) => logInByCode(service, account.maker, addressOf(account), {}),
    },
  },
  'reset-by-maker': {
    'a reset link in the browser of the sign-up': {
      at: addressed,
      happen: (service, account) => resetByLink(service, account.maker, addressOf(account), newPassword),
    },
    'a reset code in the browser of the sign-up': {
      at: addressed,
      happen: (service, account) => resetByCode(service, account.maker, addressOf(account), {}),
    },
  },
  'proved-elsewhere': {
    'a reset link elsewhere': {
      at: addressed,
      choice: 'username and profile',
      happen: (service, account, profile) =>
        resetByLink(service, visitor(service), addressOf(account), { ...newPassword, ...profile }),
    },
    'a reset code elsewhere': {
      at: addressed,
      choice: 'username and profile',
      happen: (service, account, profile) =>
        resetByCode(service, visitor(service), addressOf(account), profile),
    },
    'the verification link elsewhere, with a new password': {
      at: unproven,
      choice: 'username and profile',
      happen: (service, { verifyLink = '' }, profile) =>
        service.send('POST', `${verifyLink}new-password/`, { ...newPassword, ...profile }),
    },
    'an invitation': {
      at: ['unproven, used', 'plainly proven, used'],
      happen: (service, { invitation }) => service.send('POST', `${invitation?.link}`, newPassword),
      // One question is about the account and the invitation.
      seen: { rule: 'asked about the invitation' },
    },
    'an invitation, which takes a name': {
      at: ['unproven, never used', 'plainly proven, never used'],
      happen: (service, { invitation, username }) =>
        service.send('POST', `${invitation?.link}`, { ...newPassword, username: `owner-of-${username}` }),
      seen: { name: 'their own', rule: 'asked about the invitation' },
    },
  },
  'code-elsewhere': {
    'a login code elsewhere': {
      at: addressed,
      choice: 'profile',
      happen: (service, account, profile) =>
        logInByCode(service, visitor(service), addressOf(account), profile),
    },
  },
  'opened-plainly': {
    'the verification link, opened by a client that asks for JSON': {
      at: addressed,
      happen: ({ app }, { verifyLink = '' }) =>
        app.inject({ url: verifyLink, headers: { accept: 'application/json' } }),
    },
    'the verification link, sent by a client without the password': {
      at: addressed,
      happen: (service, { verifyLink = '' }) => service.send('POST', verifyLink),
    },
  },
  'vouched-for': {
    staff: {
      at: addressed,
      happen: ({ staff }, { id }) => staff.send('PATCH', `/user/${id}`, { is_verified: true }),
    },
    'the app’s own code': {
      at: addressed,
      happen: ({ app }, { id }) => done(app.accounts.updateUser(id, { isVerified: true })),
    },
    'staff, along with an address': {
      at: ['no address'],
      moves: true,
      happen: ({ staff }, { id, username }) =>
        staff.send('PATCH', `/user/${id}`, { email: newAddressOf(username), is_verified: true }),
    },
  },
  'password-vouched': {
    'the app’s own code sets a password': {
      at: all,
      happen: ({ app }, { id }) => done(app.accounts.setPassword(id, otherPassword)),
    },
    'a link that the app’s own code hands over': {
      at: all,
      async happen(service, { id }) {
        const link = await service.app.accounts.createPasswordLink(id)
        return service.send('POST', new URL(link?.url ?? '').pathname, newPassword)
      },
    },
  },
  'address-by-maker': {
    'the link to a new address where the account is logged in': {
      at: logsIn,
      moves: true,
      happen: (service, account) => changeAddress(service, account, inBrowserOf(account)),
    },
  },
  'address-elsewhere': {
    'the link to a new address elsewhere': {
      at: logsIn,
      moves: true,
      happen: (service, account) => changeAddress(service, account, visitor(service)),
    },
  },
  accepted: {
    'the invitation, where the account is logged in': {
      at: ['proven'],
      happen: async (_service, { device, invitation }) => device?.send('POST', `${invitation?.link}`, {}),
    },
  },
  locked: {
    'the app’s own code': {
      at: all,
      happen: ({ app }, { id }) => done(app.accounts.secureUser(id)),
    },
    'the link in an email about a login': {
      at: ['plainly proven, used', 'proven'],
      async happen(service, account) {
        await visitor(service).logIn(account.username)
        return service.send('POST', linkPath(await service.mail('new-device', addressOf(account))))
      },
    },
  },
  'address-undone': {
    'the link that undoes a change of the address': {
      at: ['plainly proven, used', 'proven'],
      async happen(service, account) {
        expectStatus(await changeAddress(service, account, inBrowserOf(account)), 200)
        return service.send('POST', linkTarget(await service.mail('email-changed', addressOf(account))))
      },
    },
  },
}
