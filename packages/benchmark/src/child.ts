import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that replies to each message with one message. */
export interface Child<Message> {
  /** Its first message. */
  hello: unknown
  pid: number
  /** @throws Error if it exits instead, or the signal ends the wait */
  ask(message: Message): Promise<unknown>
  end(): Promise<void>
}

/** @param script a module, as a URL */
export async function startChild<Message>(
  script: URL,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Child<Message>> {
  // A server's logs are written as in production, but nobody reads them.
  const child = fork(script, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const hello = await responseOf(child, script.pathname, signal)
  return {
    hello,
    pid: child.pid ?? 0,
    async ask(message) {
      const response = responseOf(child, script.pathname, signal)
      child.send(message as object)
      return response
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function responseOf(child: ChildProcess, script: string, signal: AbortSignal): Promise<unknown> {
  const settled = new AbortController()
  const either = AbortSignal.any([signal, settled.signal])
  try {
    return await Promise.race([
      once(child, 'message', { signal: either }).then(([message]) => message),
      once(child, 'exit', { signal: either }).then(([code]) => {
        throw new Error(`${script} ended with ${code}`)
      }),
    ])
  } finally {
    settled.abort()
  }
}
