/** The mailbox: polls for new emails, and shows local times. */
import { get } from './elements.js'

/** Milliseconds between two polls. */
const pause = 1500

function showTimes(): void {
  const today = new Date().toDateString()
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime)
    const isToday = at.toDateString() === today
    time.textContent = at.toLocaleString('en-GB', isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' })
    time.title = at.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium' })
  }
}

/** Reloads the list, and the title with its count; the open email stays unchanged. */
async function renew(): Promise<void> {
  const response = await fetch(location.href)
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const focused = document.activeElement?.closest('.list a')?.getAttribute('href')
  const list = get('.list', fresh)
  document.title = fresh.title
  get('.list').replaceWith(document.adoptNode(list))
  showTimes()
  if (focused) list.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
  get('[role=status]', list).textContent = `New email: ${list.querySelector('.subject')?.textContent ?? ''}`
}

async function poll(): Promise<void> {
  try {
    if (document.hidden) return
    const response = await fetch('mailbox/newest')
    const { number } = (await response.json()) as { number: number }
    if (String(number) !== get('.list').dataset.newest) await renew()
  } catch {
    // The server is unavailable or restarting: try again at the next poll.
  } finally {
    setTimeout(poll, pause)
  }
}

showTimes()
setTimeout(poll, pause)
