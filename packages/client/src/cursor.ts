import type { UserPage } from './wire.js'

/** The cursor of the page after this one; `null` on the last. The rest of `next` is the address as the service sees it. */
export function cursorOf({ next }: Pick<UserPage, 'next'>): string | null {
  // React Native can't read the parameters of a URL.
  const cursor = /[?&]cursor=([^&#]*)/.exec(next ?? '')?.[1]
  return cursor ? decodeURIComponent(cursor) : null
}
