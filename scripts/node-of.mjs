import { run } from './run.mjs'

/** The path of another version of Node.js, which the npm package `node` contains. */
export async function nodeOf(version) {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) throw new Error(`invalid version of Node.js: ${version}`)
  return (await run('npx', ['--yes', '-p', `node@${version}`, 'node', '-p', 'process.execPath'])).trim()
}
