import { browser, goodPassword, linkPath, otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as actions from '../actions.js'
import { type Branch, form, get, json, toUser, unverified } from './branch.js'
import { variants } from './variants.js'

const verifyLink = (variant: 'user' | 'signup') => async (scene: Scene) => {
  const user = await scene.edit({ isVerified: false })
  return { user, link: await scene.askForLink(`/${variant}/v/`, 'verify-email') }
}

/** Somebody has signed up with the address alone, in the browser of this cookie. */
const asMaker = (variant: 'user' | 'signup') => async (scene: Scene) => {
  const { email } = scene.fresh
  const { cookies } = await scene.send(json('POST', `/${variant}/`, scene.fresh))
  const link = linkPath(await scene.service.post.mail('verify-email', email))
  return { link, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

export const verification: Branch[] = variants.flatMap(({ variant }) => {
  const branches: Branch[] = [
    {
      name: 'verify',
      route: `${variant}-verify GET`,
      prepare: verifyLink(variant),
      request: ({ link }) => ({ ...get(link), headers: { accept: 'application/json' } }),
      status: 200,
      action: actions.verification,
    },
    {
      name: 'verify, the page',
      route: `${variant}-verify GET`,
      prepare: verifyLink(variant),
      request: ({ link }) => ({ url: link, headers: browser }),
      status: 200,
      action: actions.nothing,
    },
    {
      name: 'verify by a button',
      route: `${variant}-verify POST`,
      prepare: verifyLink(variant),
      request: ({ link, cookie }) => ({ method: 'POST', url: link, headers: { ...browser, cookie } }),
      status: 200,
      action: actions.verification,
    },
    {
      name: 'verify with the password',
      route: `${variant}-verify-password POST`,
      prepare: verifyLink(variant),
      request: ({ link }) => json('POST', `${link}password/`, { password: goodPassword }),
      status: 200,
      action: actions.verification,
    },
    {
      name: 'verify with a wrong password in a browser',
      route: `${variant}-verify-password POST`,
      prepare: verifyLink(variant),
      request: ({ link }) => ({
        ...json('POST', `${link}password/`, { password: otherPassword }),
        headers: browser,
      }),
      status: 400,
      action: actions.nothing,
    },
    {
      name: 'verify with a new password',
      route: `${variant}-verify-new-password POST`,
      prepare: verifyLink(variant),
      request: ({ link }) => json('POST', `${link}new-password/`, form),
      status: 200,
      action: actions.newPassword(otherPassword, [400]),
      mail: { kind: 'password-changed', to: toUser },
    },
    {
      name: 'verify with a first password',
      route: `${variant}-verify-new-password POST`,
      prepare: asMaker(variant),
      request: ({ link, cookie }) => json('POST', `${link}new-password/`, form, cookie),
      status: 200,
      action: actions.makersPassword,
    },
    {
      name: 'verify while another request changes the user',
      route: `${variant}-verify POST`,
      isContended: true,
      prepare: verifyLink(variant),
      request: ({ link }) => json('POST', link),
      status: 200,
      action: actions.verification,
    },
    {
      name: 'verify again',
      route: `${variant}-verify POST`,
      async prepare(scene) {
        const { link } = await verifyLink(variant)(scene)
        await scene.send(json('POST', link))
        return { link, user: await scene.edit({}) }
      },
      request: ({ link }) => json('POST', link),
      status: 200,
      action: actions.nothing,
    },
    {
      name: 'resend',
      route: `${variant}-verify-resend POST`,
      prepare: unverified,
      request: ({ email }) => json('POST', `/${variant}/v/`, { email }),
      status: 202,
      action: actions.nothing,
      mail: { kind: 'verify-email', to: toUser },
    },
    {
      name: 'resend to an unknown address',
      route: `${variant}-verify-resend POST`,
      request: ({ fresh }) => json('POST', `/${variant}/v/`, { email: fresh.email }),
      status: 202,
      action: actions.nothing,
    },
    {
      name: 'resend to a verified address',
      route: `${variant}-verify-resend POST`,
      request: ({ email }) => json('POST', `/${variant}/v/`, { email }),
      status: 202,
      action: actions.nothing,
    },
  ]
  return branches.map((branch) => ({ ...branch, name: `${branch.name} (${variant})` }))
})
