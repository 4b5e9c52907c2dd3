import { baseUrl } from '@fastify-accounts/test-support/app'
import type { HTTPMethods } from 'fastify'
import type { Service } from './service.js'

/** A path of the plugin, with an invalid link or unknown id filled in. */
export interface MountedPath {
  path: string
  methods: HTTPMethods[]
}

/** Every mounted path, as listed by /api-root/. */
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

/** The mounted paths that accept POST. */
export async function postPaths(service: Service): Promise<string[]> {
  const all = await mountedPaths(service)
  return all.filter(({ methods }) => methods.includes('POST')).map(({ path }) => path)
}

/** The mounted paths that accept POST without a login. */
export async function openPostPaths(service: Service): Promise<string[]> {
  const open: string[] = []
  for (const path of await postPaths(service)) {
    const response = await service.send('POST', path)
    if (response.statusCode !== 401) open.push(path)
  }
  return open
}
