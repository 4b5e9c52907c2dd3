import { baseUrl } from '@fastify-accounts/test-support/app'
import type { HTTPMethods } from 'fastify'
import type { Service } from './service.js'

/** A path of the plugin, with a link or an id in it that nobody has. */
export interface MountedPath {
  path: string
  methods: HTTPMethods[]
}

/** Every path that an app has mounted, as its /api-root/ tells. */
export async function mountedPaths({ send }: Service): Promise<MountedPath[]> {
  const listed: Record<string, { methods: HTTPMethods[]; href: string }> = (
    await send('GET', '/api-root/')
  ).json()
  return Object.values(listed).map(({ methods, href }) => ({
    path: href
      .replace(baseUrl, '')
      .replace('{uid64}', 'dQ')
      .replace('{token}', 'tok')
      .replace('{pk}', 'x')
      .replace('{id}', 'x'),
    methods,
  }))
}

/** Those of them that take POST. */
export async function postPaths(service: Service): Promise<string[]> {
  const all = await mountedPaths(service)
  return all.filter(({ methods }) => methods.includes('POST')).map(({ path }) => path)
}

/** Those of them that take POST from somebody who is not logged in. */
export async function openPostPaths(service: Service): Promise<string[]> {
  const open: string[] = []
  for (const path of await postPaths(service)) {
    const answer = await service.send('POST', path)
    if (answer.statusCode !== 401) open.push(path)
  }
  return open
}
