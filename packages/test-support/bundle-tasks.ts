import { mkdtemp } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Of the project itself: on its sources, as tests are. */
const own = /^(fastify-accounts|@fastify-accounts\/[^/]+)(\/|$)/
/** The file of Fastify's next major, where `npm run test:nodes` asks for it. */
const nextFastify = process.env.ACCOUNTS_TEST_FASTIFY

/**
 * Makes one file of a TypeScript module and all that it imports of this project, which starts much sooner than those.
 *
 * @returns the folder that it is in, as `tasks.mjs`
 */
export async function bundleTasks(tasks: URL): Promise<string> {
  const bundle = await rolldown({
    input: { tasks: fileURLToPath(tasks) },
    platform: 'node',
    tsconfig: fileURLToPath(new URL('../../tsconfig.test.json', import.meta.url)),
    plugins: [
      {
        name: 'packages stay where they are',
        async resolveId(id, importer) {
          if (id.startsWith('.') || isAbsolute(id) || isBuiltin(id) || own.test(id)) return null
          const found = id === 'fastify' ? nextFastify : undefined
          const file = found ?? (await this.resolve(id, importer, { skipSelf: true }))?.id
          // What is optional may not be there.
          return { id: file === undefined ? id : pathToFileURL(file).href, external: true }
        },
      },
    ],
  })
  const folder = await mkdtemp(join(tmpdir(), 'accounts-tasks-'))
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  return folder
}
