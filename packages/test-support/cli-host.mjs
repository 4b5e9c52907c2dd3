// Runs modules one after another, each as if it had the process to itself: its own folder, environment, arguments,
// standard streams and exit code, and its own copy of the project's modules. Packages are loaded once.
import { register } from 'node:module'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [projects] = process.argv.slice(2)
const count = new Int32Array(new SharedArrayBuffer(4))
const hooks = `
let place
export function initialize(given) { place = given }
export async function resolve(name, context, next) {
  const found = await next(name, context)
  return found.url.startsWith(place.projects) ? { ...found, url: found.url + '?run=' + place.count[0] } : found
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`, {
  data: { projects: pathToFileURL(projects).href, count },
})

process.on('disconnect', () => process.exit())
process.on('message', async ({ folder, args: [file, ...args], input, env }) => {
  count[0] += 1
  process.chdir(folder)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, file, ...args]
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  const said = { stdout: '', stderr: '' }
  for (const name of Object.keys(said)) {
    process[name].write = (chunk) => {
      said[name] += chunk
      return true
    }
  }
  try {
    await import(`${pathToFileURL(file).href}?run=${count[0]}`)
    process.send({ code: process.exitCode ?? 0, ...said })
  } catch (error) {
    process.send({ code: 1, ...said, stderr: `${said.stderr}${error.stack}\n` })
  }
})
