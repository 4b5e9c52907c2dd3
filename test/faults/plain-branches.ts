import { isDeepStrictEqual } from 'node:util'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { memory } from '@fastify-accounts/test-support/faults/grounds'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import * as actions from './actions.js'
import { type Branch, json } from './branches/branch.js'
import { type Mounted, mounted } from './mounted.js'

/**
 * A branch for each route without one in branches/: a logged-in user sends a body that matches the schema. Either nothing
 * in their account changes, or the record of the user, in one write.
 * @throws Error if more happens: such a route needs its own branches
 */
export async function plainBranches(written: readonly Branch[]): Promise<Branch[]> {
  const known = new Set(written.map(({ route }) => route))
  const ground = await memory.open()
  const service = await startService(ground)
  const plain: Branch[] = []
  for (const { name, route, method, path, body } of await mounted()) {
    if (known.has(route)) continue
    const request = (scene: Scene) =>
      json(
        method,
        path.replaceAll(/\{\w+\}/g, scene.user.id),
        body && Object.fromEntries((body.required ?? []).map((field) => [field, sample(field, body, scene)])),
        scene.cookie,
      )
    const scene = await setScene(service)
    const before = await scene.rows()
    const { statusCode: status } = await scene.send(request(scene))
    const changed = await actions.changesIn(scene)
    const isMailed = service.post.mails.some(({ to }) => to.address === scene.email)
    if (changed === null || isMailed || !isDeepStrictEqual(await scene.rows(), before)) {
      throw new Error(
        `${name} does more than change the user: add a branch of '${route}' in test/faults/branches`,
      )
    }
    const { statusCode: again } = await scene.send(request(scene))
    const action = changed.length > 0 ? actions.change(changed, [again]) : actions.nothing
    plain.push({ name, route, request, status, action })
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
  const { type, examples, enum: choices } = properties?.[name] ?? {}
  const known = { username, email, password: goodPassword, old_password: goodPassword }
  if (Object.hasOwn(known, name)) return known[name as keyof typeof known]
  const [example] = examples ?? choices ?? []
  if (example !== undefined) return example
  return type === 'boolean' ? true : type === 'integer' || type === 'number' ? 1 : 'x'
}
