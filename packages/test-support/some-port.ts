/**
 * For other people's programs that can't listen on port 0, or don't say which port they got: runs them on random ports
 * until one is free, and only they find out.
 * @param start rejects with an error that says `EADDRINUSE` or `already in use` if the port is taken
 */
export async function onSomePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      // Below the ports that systems give to connections.
      return await start(10_000 + Math.floor(Math.random() * 22_000))
    } catch (error) {
      if (attempts === 10 || !/EADDRINUSE|already in use/i.test(String(error))) throw error
    }
  }
}
