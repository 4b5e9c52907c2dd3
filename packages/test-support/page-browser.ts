import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

/** What a browser without JavaScript sees. */
export interface Shown {
  status: number
  /** The path and query of the page, after redirects. */
  url: string
  html: string
  heading: string
  /** Without tags. */
  text: string
  response: LightMyRequestResponse
}

/** A browser without JavaScript: keeps cookies, follows redirects, sends the forms of its page. */
export interface Browser {
  open(url: string): Promise<Shown>
  /**
   * Sends a form of the page with what was typed; its other fields as they are.
   * @param button the text of its button, or its name where several have the same text
   */
  submit(button: string, typed?: Record<string, string>): Promise<Shown>
  /** Opens a link of the page by its text. */
  follow(label: string): Promise<Shown>
  reload(): Promise<Shown>
  readonly page: Shown
  readonly cookies: Map<string, string>
}

/** Everything a real browser's navigation has that the plugin looks at. */
const navigation = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
}

export function browser(app: FastifyInstance, headers: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>()
  let page: Shown

  async function ask(method: 'GET' | 'POST', url: string, payload?: string): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.inject({
      method,
      url,
      headers: {
        ...navigation,
        ...headers,
        ...(cookie && { cookie }),
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload !== undefined && { payload }),
    })
    for (const set of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /max-age=0/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { location } = response.headers
    if (response.statusCode === 303 && location !== undefined) return ask('GET', pathOf(location))
    page = shown(response, url)
    return page
  }
  return {
    cookies,
    get page() {
      return page
    },
    open: (url) => ask('GET', pathOf(url)),
    reload: () => ask('GET', page.url),
    follow(label) {
      const [, to] =
        [...page.html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(
          ([, , inside = '']) => textOf(inside) === label,
        ) ?? []
      if (to === undefined) throw new Error(`no link ${label} in: ${page.text}`)
      return ask('GET', pathOf(new URL(unescaped(to), `http://localhost${page.url}`).href))
    },
    submit(button, typed = {}) {
      const forms = [...page.html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)]
      for (const [, attributes = '', inside = ''] of forms) {
        const found = [...inside.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].find(
          ([, own = '', label = '']) => textOf(label) === button || attributeOf(own, 'aria-label') === button,
        )
        if (found === undefined) continue
        const values = new URLSearchParams()
        for (const [name, value] of fieldsOf(inside)) values.set(name, value)
        const named = attributeOf(found[1] ?? '', 'name')
        if (named !== undefined) values.set(named, attributeOf(found[1] ?? '', 'value') ?? '')
        for (const [name, value] of Object.entries(typed)) {
          if (!new RegExp(`name="${name}"`).test(inside))
            throw new Error(`no field ${name} in the form of ${button}`)
          values.set(name, value)
        }
        return ask('POST', pathOf(attributeOf(attributes, 'action') ?? page.url), values.toString())
      }
      throw new Error(`no button ${button} in: ${page.text}`)
    },
  }
}

/** The fields of a form, as a browser would send them. */
export function fieldsOf(form: string): [name: string, value: string][] {
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']): [string, string][] => {
    const name = attributeOf(attributes, 'name')
    const type = attributeOf(attributes, 'type')
    const isOff = (type === 'checkbox' || type === 'radio') && !/ checked/.test(attributes)
    return name === undefined || isOff ? [] : [[name, attributeOf(attributes, 'value') ?? '']]
  })
  const areas = [...form.matchAll(/<textarea([^>]*)>([\s\S]*?)<\/textarea>/g)].map(
    ([, attributes = '', text = '']): [string, string] => [
      attributeOf(attributes, 'name') ?? '',
      unescaped(text.replace(/^\n/, '')),
    ],
  )
  const selects = [...form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)].map(
    ([, attributes = '', inside = '']): [string, string] => {
      const options = [...inside.matchAll(/<option([^>]*)>/g)].map(([, each = '']) => each)
      const chosen = options.find((each) => / selected/.test(each)) ?? options[0] ?? ''
      return [attributeOf(attributes, 'name') ?? '', attributeOf(chosen, 'value') ?? '']
    },
  )
  return [...inputs, ...areas, ...selects]
}

export function attributeOf(attributes: string, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes) ?? []
  return value === undefined ? undefined : unescaped(value)
}

function shown(response: LightMyRequestResponse, url: string): Shown {
  const html = response.body
  const body = html.replace(/<(style|script)[\s\S]*?<\/\1>/g, '').replace(/<head>[\s\S]*?<\/head>/, '')
  const [, heading = ''] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html) ?? []
  return { status: response.statusCode, url, html, heading: textOf(heading), text: textOf(body), response }
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, 'http://localhost')
  return pathname + search
}

export const textOf = (html: string): string =>
  unescaped(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
