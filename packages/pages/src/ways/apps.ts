import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import type { Site } from '../site.js'
import { type KeptThing, removed, removing, renaming } from './kept-thing.js'
import { readOf } from './operations.js'
import { twoStepPath } from './two-step.js'

const app: KeptThing = {
  page: 'account-two-step-app',
  list: twoStepPath,
  async nameOf(visit: PageVisit) {
    const { apps } = await readOf(visit, 'showFactors')
    return apps.find(({ id }) => id === visit.params.id)?.name ?? null
  },
}

export function renameAppPage(site: Site): PageRoute {
  return formPage(site, {
    path: `${twoStepPath}app/:id/`,
    access: 'logged-in',
    view: (visit, state) => renaming(site, visit, state, app),
    async act(visit, { name = '' }) {
      await visit.perform('renameTotpApp', { params: { id: visit.params.id }, body: { name } })
      return { to: site.pathOf(twoStepPath), notice: visit.client.language.texts.pages.way_pages.renamed }
    },
  })
}

export function removeAppPage(site: Site): PageRoute {
  return formPage(site, {
    path: `${twoStepPath}app/:id/remove/`,
    access: 'owner',
    isOpenToEnroll: true,
    async view(visit) {
      const { way_pages: own } = visit.client.language.texts.pages
      const { apps, passkeys } = await readOf(visit, 'showFactors')
      const isLast = apps.length === 1 && !passkeys
      return removing(site, visit, app, {
        heading: own.app_remove,
        about: isLast ? [own.app_remove_about, own.app_remove_last] : own.app_remove_about,
        button: own.app_remove_button,
      })
    },
    async act(visit) {
      await removed(visit.perform('removeTotpApp', { params: { id: visit.params.id } }))
      return { to: site.pathOf(twoStepPath), notice: visit.client.language.texts.pages.way_pages.app_removed }
    },
  })
}
