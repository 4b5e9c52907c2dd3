import { escapeHtml } from 'fastify-accounts'
import type { MountCore } from 'fastify-accounts/features'

/** The pages that a site links to. */
export type PageName = 'login' | 'signup' | 'forgot' | 'account' | 'logout'

/** What a site's own header needs. */
export interface HostPages {
  /**
   * The path of a page.
   * @param query `next`: the path that somebody goes on to
   */
  url(page: PageName, query?: { next?: string }): string
  /** A form that is one button: logs out. Safe HTML. */
  logOutForm(label: string): string
}

export function hostPages({ base }: Pick<MountCore, 'base'>): HostPages {
  const pathOf = (page: PageName): string => `${new URL(base).pathname.replace(/\/$/, '')}/${page}/`
  return {
    url(page, { next } = {}) {
      return pathOf(page) + (next === undefined ? '' : `?${new URLSearchParams({ next })}`)
    },
    logOutForm: (label) =>
      `<form method="post" action="${escapeHtml(pathOf('logout'))}"><button type="submit">${escapeHtml(label)}</button></form>`,
  }
}
