import { makeProject, runCli } from './cli.js'
import type { Place } from './databases.js'

/** The value of DATABASE_URL for a database of a test. */
export function urlOf({ driver, url }: Place): string {
  return driver === 'libsql' ? `file:${url}` : url
}

/** Runs `adopt users` on the table `customers`, or the one of `--table`; `data` is what `--json` prints. */
export async function adopt(place: Place, ...args: string[]) {
  const table = args.includes('--table') ? [] : ['--table', 'customers']
  const { code, stdout, stderr } = await runCli(makeProject(), ['adopt', 'users', ...table, ...args], {
    env: { DATABASE_URL: urlOf(place) },
  })
  return { code, stdout, stderr, data: args.includes('--json') ? JSON.parse(stdout) : undefined }
}
