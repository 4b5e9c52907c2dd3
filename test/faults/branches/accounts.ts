import * as deeds from '../deeds.js'
import type { Scene } from '../scene.js'
import { type Branch, get, json, toFresh, toUser } from './branch.js'

const ask = ({ fresh, cookie }: Scene) => json('POST', '/change-email/', { email: fresh.email }, cookie)

/** The address in a link stands in its query. */
async function linkOf(scene: Scene, kind: 'change-email' | 'email-changed', to: string): Promise<string> {
  const { text } = await scene.service.post.mail(kind, to)
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  return pathname + search
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

const rename: Branch['request'] = ({ fresh, cookie }) =>
  json('PATCH', '/me/', { username: fresh.username }, cookie)

export const accounts: Branch[] = [
  {
    name: 'change-profile',
    route: 'me PATCH',
    request: rename,
    status: 200,
    deed: deeds.newName(({ fresh }) => fresh.username),
  },
  {
    name: 'change-profile while somebody else changes the user',
    route: 'me PATCH',
    isContended: true,
    request: rename,
    status: 200,
    deed: deeds.newName(({ fresh }) => fresh.username),
  },
  {
    name: 'delete oneself at /me/',
    route: 'me DELETE',
    request: ({ cookie }) => json('DELETE', '/me/', undefined, cookie),
    status: 204,
    deed: deeds.deletion([401]),
  },
  {
    name: 'change-email',
    route: 'change-email POST',
    request: ask,
    status: 202,
    deed: deeds.nothing,
    mail: { kind: 'change-email', to: toFresh },
  },
  {
    name: 'email-confirm, the page',
    route: 'email-confirm GET',
    prepare: changeLink,
    request: ({ link }) => get(link),
    status: 200,
    deed: deeds.nothing,
  },
  {
    name: 'email-confirm',
    route: 'email-confirm POST',
    prepare: changeLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    deed: deeds.newAddress,
    mail: { kind: 'email-changed', to: toUser },
  },
  {
    name: 'email-undo, the page',
    route: 'email-undo GET',
    prepare: undoLink,
    request: ({ link }) => get(link),
    status: 200,
    deed: { again: [], isDone: async () => false },
  },
  {
    name: 'email-undo',
    route: 'email-undo POST',
    prepare: undoLink,
    request: ({ link }) => json('POST', link),
    status: 200,
    deed: deeds.undoneAddress,
    mail: { kind: 'reset-password', to: toUser },
  },
]
