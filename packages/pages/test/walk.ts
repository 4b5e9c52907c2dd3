import { linksOf } from './every-feature.js'
import { type Form, formsOf, leadsOn, lostIn } from './forms.js'
import type { Browser, Shown } from './pages-app.js'

/** Buttons that end what other forms need come last, and of an account at the very end. */
const endOf = (url: string, { button }: Form): number =>
  url === '/account/delete/'
    ? 3
    : url === '/account/password/remove/'
      ? 2
      : /delete|remove|leave|log out|log in/i.test(button)
        ? 1
        : 0

/** Opens every page that links lead to, and sends every form once with faults and once as it should be. */
export async function walk(
  visitor: Browser,
  starts: readonly string[],
  /** Before each page. */
  enter: () => Promise<void> | void,
  /** What a form takes, by the names of its fields. */
  goodFor: (url: string) => Promise<Readonly<Record<string, string>>>,
  /** The paths of pages that were shown before. */
  shown: Set<string>,
): Promise<string[]> {
  const opened = new Set<string>()
  const sent = new Set<string>()
  const troubles: string[] = []
  const queue = [...starts]
  const later: { url: string; form: Form }[] = []

  const check = (isGood: boolean, trouble: string): void => void (isGood || troubles.push(trouble))
  function enqueue({ url, html }: Shown): void {
    queue.push(...linksOf({ html }), url)
  }
  async function open(url: string): Promise<Shown> {
    await enter()
    return visitor.open(url)
  }
  async function sendFaulty(url: string, form: Form): Promise<void> {
    await open(url)
    const again = await visitor.submit(
      form.button,
      Object.fromEntries(form.typed.map(({ name, value }) => [name, value])),
    )
    const what = `${form.button} at ${url}`
    check(again.status >= 400 && again.status < 500, `${what}: ${again.status} for faults`)
    check(lostIn(again, form).length === 0, `${what}: loses ${lostIn(again, form)}`)
    check(leadsOn(again), `${what}: leads nowhere`)
  }
  async function send(url: string, { button, names }: Form): Promise<void> {
    await open(url)
    if (!formsOf(visitor.page).some((each) => each.button === button)) return
    const good = await goodFor(url)
    const values = names.filter((name) => name in good).map((name) => [name, good[name]])
    const after = await visitor.submit(button, Object.fromEntries(values))
    check(after.status === 200, `${button} at ${url}: ${after.status}, ${after.text}`)
    const { status } = await visitor.reload()
    check(status === 200, `${button} at ${url}: ${status} when reloaded`)
    enqueue(after)
  }

  for (;;) {
    const url = queue.shift() ?? null
    if (url === null) {
      const [next] = later.sort((one, other) => endOf(one.url, one.form) - endOf(other.url, other.form))
      if (next === undefined) return troubles
      later.shift()
      await send(next.url, next.form)
      continue
    }
    if (opened.has(pathOf(url)) || shown.has(pathOf(url))) continue
    opened.add(pathOf(url))
    const page = await open(url)
    if (page.url !== url && shown.has(pathOf(page.url))) continue
    shown.add(pathOf(page.url))
    check(leadsOn(page) || !page.html.includes('<main'), `${url} leads nowhere`)
    enqueue(page)
    for (const form of formsOf(page)) {
      const key = `${pageName(page)}: ${form.button}`
      if (sent.has(key)) continue
      sent.add(key)
      if (form.typed.some(({ kind }) => kind === 'text')) await sendFaulty(page.url, form)
      if (endOf(page.url, form) > 0) later.push({ url: page.url, form })
      else await send(page.url, form)
    }
  }
}

const pageName = ({ html }: Shown): string => /data-page="([^"]*)"/.exec(html)?.[1] ?? ''

export const pathOf = (url: string): string => url.replace(/\?.*/, '')
