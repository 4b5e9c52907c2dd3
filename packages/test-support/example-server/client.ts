/** A client that keeps cookies, as a browser or curl does. */
export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  delete(path: string): Promise<Response>
  cookies: Map<string, string>
}

export function createClient(url: string): Client {
  const cookies = new Map<string, string>()

  async function request(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  return {
    cookies,
    get: (path, headers = {}) => request(path, { headers }),
    delete: (path) => request(path, { method: 'DELETE' }),
    post: (path, fields, headers = {}) =>
      fields === undefined
        ? request(path, { method: 'POST', headers })
        : request(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(fields),
          }),
  }
}

interface DevMail {
  kind: string
  to: string
  subject: string
  text: string
  html: string
  at: string
}

export async function mailsOf(url: string): Promise<DevMail[]> {
  const response = await fetch(new URL('/dev/mailbox.json', url))
  return (await response.json()) as DevMail[]
}

/**
 * Waits for an email of this kind to this address, and returns the newest.
 * @param urls the processes that may have sent it
 */
export async function newestMail(urls: string | string[], kind: string, to: string): Promise<DevMail> {
  for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((next) => setTimeout(next, 20))) {
    const mails = (await Promise.all([urls].flat().map(mailsOf))).flat()
    const found = mails.findLast((mail) => mail.kind === kind && mail.to === to)
    if (found !== undefined) return found
  }
  throw new Error(`no ${kind} email to ${to}`)
}

/** The path of the only link in an email. */
export function linkIn(mail: { text: string }): string {
  const [link] = mail.text.match(/https?:\/\/\S+\/v\/\S+|https?:\/\/\S+\/reset\/\S+/) ?? []
  if (link === undefined) throw new Error(`no link in: ${mail.text}`)
  return new URL(link).pathname
}
