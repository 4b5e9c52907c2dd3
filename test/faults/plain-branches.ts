import { baseUrl, goodPassword, secret } from '@fastify-accounts/test-support/app'
import { memory } from '@fastify-accounts/test-support/faults/grounds'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import * as actions from './actions.js'
import { type Branch, json } from './branches/branch.js'

/** The form makes the same call as `change-password POST`. */
const sameCall = 'change-password-form '

interface Mounted {
  route: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body: { required?: readonly string[]; properties?: Record<string, { type?: unknown }> } | undefined
}

/** Every route of the plugin, by its /api-root/ entry and method, with the schema of its body. */
async function mounted(): Promise<Mounted[]> {
  const bodies = new Map<string, Mounted['body']>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url, schema }) => {
    bodies.set(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`, schema?.body as Mounted['body'])
  })
  await app.register(accounts, { secret, baseUrl, users: true })
  const index: Record<string, { methods: Mounted['method'][]; href: string }> = (
    await app.inject('/api-root/')
  ).json()
  await app.close()
  return Object.entries(index).flatMap(([name, { methods, href }]) =>
    methods.map((method) => {
      const path = href.slice(baseUrl.length)
      return { route: `${name} ${method}`, method, path, body: bodies.get(`${method} ${path}`) }
    }),
  )
}

/**
 * A branch for each route without one in branches/: a logged-in user sends a body that matches the schema, and nothing
 * in their account changes. A route that does more needs its own branches.
 */
export async function plainBranches(written: readonly Branch[]): Promise<Branch[]> {
  const known = new Set(written.map(({ route }) => route))
  const ground = await memory.open()
  const service = await startService(ground)
  const plain: Branch[] = []
  for (const { route, method, path, body } of await mounted()) {
    if (known.has(route) || route.startsWith(sameCall)) continue
    const request = (scene: Scene) =>
      json(
        method,
        path.replaceAll(/\{\w+\}/g, scene.user.id),
        body && Object.fromEntries((body.required ?? []).map((name) => [name, sample(name, body, scene)])),
        scene.cookie,
      )
    const scene = await setScene(service)
    const { statusCode: status } = await scene.send(request(scene))
    plain.push({ name: `${method} ${path}`, route, request, status, action: actions.nothing })
  }
  await service.app.close()
  await ground.close()
  return plain
}

function sample(
  name: string,
  { properties }: NonNullable<Mounted['body']>,
  { email, name: username }: Scene,
) {
  const known = { username, email, password: goodPassword, old_password: goodPassword }
  if (Object.hasOwn(known, name)) return known[name as keyof typeof known]
  const type = properties?.[name]?.type
  return type === 'boolean' ? true : type === 'integer' || type === 'number' ? 1 : 'x'
}
