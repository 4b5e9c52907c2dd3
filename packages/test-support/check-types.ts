import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source.js'

/** Compiles the TypeScript in a folder inside the repository as an app's; throws with the errors of the compiler. */
export function checkTypes(folder: string): void {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    // As in most apps: types that tools generate have optional properties that may be undefined.
    compilerOptions: {
      noEmit: true,
      composite: false,
      isolatedDeclarations: false,
      exactOptionalPropertyTypes: false,
      rootDir: folder,
    },
    include: ['**/*.ts'],
  }
  const file = join(folder, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(config))
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', file], {
      encoding: 'utf8',
    })
  } catch (error) {
    throw new Error(String(Reflect.get(Object(error), 'stdout')), { cause: error })
  }
}
