import { linkTarget } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import * as actions from '../actions.js'
import { type Branch, credentials, get, json, toFresh, toUser } from './branch.js'

const ask = ({ fresh, cookie }: Scene) => json('POST', '/change-email/', { email: fresh.email }, cookie)

/** The link of a mail; its query has the address. */
async function linkOf(scene: Scene, kind: 'change-email' | 'email-changed', to: string): Promise<string> {
  return linkTarget(await scene.service.post.mail(kind, to))
}

async function changeLink(scene: Scene): Promise<Partial<Scene>> {
  await scene.send(ask(scene))
  return { link: await linkOf(scene, 'change-email', scene.fresh.email) }
}

async function undoLink(scene: Scene): Promise<Partial<Scene>> {
  const { link = '' } = await changeLink(scene)
  await scene.send(json('POST', link))
  return { link: await linkOf(scene, 'email-changed', scene.email) }
}

async function keepLink(scene: Scene): Promise<Partial<Scene>> {
  const { link = '' } = await undoLink(scene)
  return { link: link.replace('/email/undo/', '/email/keep/') }
}

async function releaseLink(scene: Scene): Promise<Partial<Scene>> {
  const { link = '' } = await changeLink(scene)
  const { text } = await scene.service.post.mail('change-email', scene.fresh.email)
  await scene.send(json('POST', link))
  const { pathname, search } = new URL(/https?:\/\/\S+\/email\/release\/\S+/.exec(text)?.[0] ?? '')
  return { link: pathname + search }
}

const rename: Branch['request'] = ({ fresh, cookie }) =>
  json('PATCH', '/me/', { username: fresh.username }, cookie)

/** A link like the one in the new-device mail, which this service doesn't send. */
async function notMeLink(scene: Scene): Promise<Partial<Scene>> {
  const { stores, post } = scene.service
  const sender = await startService(stores, { session: { newDeviceMail: true } }, post)
  await sender.app.inject({
    ...json('POST', '/login/', credentials(scene)),
    remoteAddress: scene.remoteAddress,
  })
  const mail = await post.mail('new-device', scene.email)
  await sender.app.close()
  return { link: linkTarget(mail) }
}

export const accounts: Branch[] = [
  {
    name: 'not-me, the page',
    route: 'not-me GET',
    prepare: notMeLink,
    request: ({ link }) => get(link),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'not-me',
    route: 'not-me POST',
    prepare: notMeLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    action: actions.lock,
    mail: { kind: 'choose-password', to: toUser },
  },
  {
    name: 'change-profile',
    route: 'me PATCH',
    request: rename,
    status: 200,
    action: actions.newName(({ fresh }) => fresh.username),
  },
  {
    name: 'change-profile while another request changes the user',
    route: 'me PATCH',
    isContended: true,
    request: rename,
    status: 200,
    action: actions.newName(({ fresh }) => fresh.username),
  },
  {
    name: 'delete own account at /me/',
    route: 'me DELETE',
    request: ({ cookie }) => json('DELETE', '/me/', undefined, cookie),
    status: 204,
    action: actions.deletion([401]),
  },
  {
    name: 'change-email',
    route: 'change-email POST',
    request: ask,
    status: 202,
    action: actions.nothing,
    mail: { kind: 'change-email', to: toFresh },
  },
  {
    name: 'email-confirm, the page',
    route: 'email-confirm GET',
    prepare: changeLink,
    request: ({ link }) => get(link),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'email-confirm',
    route: 'email-confirm POST',
    prepare: changeLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    action: actions.newAddress,
    mail: { kind: 'email-changed', to: toUser },
  },
  {
    name: 'email-undo, the page',
    route: 'email-undo GET',
    prepare: undoLink,
    request: ({ link }) => get(link),
    status: 200,
    action: { again: [], isDone: async () => false },
  },
  {
    name: 'email-undo',
    route: 'email-undo POST',
    prepare: undoLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    action: actions.undoneAddress,
    mail: { kind: 'choose-password', to: toUser },
  },
  {
    name: 'email-keep, the page',
    route: 'email-keep GET',
    prepare: keepLink,
    request: ({ link }) => get(link),
    status: 200,
    action: { again: [], isDone: async () => false },
  },
  {
    name: 'email-keep',
    route: 'email-keep POST',
    prepare: keepLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    action: actions.keptAddress,
  },
  {
    name: 'email-release, the page',
    route: 'email-release GET',
    prepare: releaseLink,
    request: ({ link }) => get(link),
    status: 200,
    action: { again: [], isDone: async () => false },
  },
  {
    name: 'email-release',
    route: 'email-release POST',
    prepare: releaseLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    action: actions.releasedAddress,
  },
]
