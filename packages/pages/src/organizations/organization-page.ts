import { AccountsError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { type Elsewhere, type FormPage, type FormState, formPage } from '../form-page.js'
import { html } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { isolated } from '../parts/isolated.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'
import { type Organization, read } from './facts.js'
import { may, rolesWith } from './permissions.js'
import { rolesText } from './roles-field.js'

/** A page of one organization. */
interface OrganizationPage extends Omit<FormPage, 'view' | 'act' | 'path'> {
  /** Below the path of the organization: `members/`. */
  below: string
  /** Permissions, of which it takes one. Default: it is for every member. */
  needs?: readonly string[]
  view(
    visit: PageVisit,
    state: FormState,
    organization: Organization,
  ): Promise<View | Elsewhere> | View | Elsewhere
  /** Default: the page has no form. */
  act?: FormPage['act']
}

const top = '/account/organizations/'

/** The path of a page of an organization, as browsers see it. By its id: its slug may change. */
export const pathIn = (
  site: Site,
  { id }: Pick<Organization, 'id'>,
  below = '',
  query: Parameters<Site['pathOf']>[1] = {},
): string => site.pathOf(`${top}${id}/${below}`, query)

/** The path of a page of the organization of this page. */
export const pathBeside = (
  site: Site,
  { params }: PageVisit,
  below: string,
  query: Parameters<Site['pathOf']>[1] = {},
): string => site.pathOf(`${top}${params.organization}/${below}`, query)

/** Makes it: who isn't a member, or may not do what it is for, reads that, and who may. */
export function organizationPage(site: Site, page: OrganizationPage): PageRoute {
  const { below, needs, view, act, ...others } = page
  const { submit, ...shown } = formPage(site, {
    ...others,
    act: act ?? (() => ({ to: '' })),
    path: `${top}:organization/${below}`,
    async view(visit, state) {
      const organization = await findOrganization(visit)
      if (organization === null) return missing(site, visit)
      if (needs !== undefined && !may(organization, ...needs))
        return forbidden(site, visit, organization, needs)
      return view(visit, state, organization)
    },
  })
  return { ...shown, ...(act && submit && { submit }) }
}

/** The organization of the path; `null` if there is none for the visitor. */
export async function findOrganization(visit: PageVisit): Promise<Organization | null> {
  const { organization } = visit.params
  return orMissing(read<Organization>(visit, 'showOrganization', { params: { organization } }))
}

/** `null` for what isn't there. */
async function orMissing<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_NOT_FOUND') return null
    throw error
  }
}

function missing(site: Site, { client }: PageVisit): View {
  const { organization_pages: own } = client.language.texts.pages
  const main = html`${paragraph(own.missing_body)}
${linkButton(own.yours, site.pathOf(top))}`
  return { page: 'organization-missing', kind: 'account', heading: own.missing, main, status: 404 }
}

function forbidden(site: Site, visit: PageVisit, organization: Organization, needs: readonly string[]): View {
  const { language } = visit.client
  const { organization_pages: own } = language.texts.pages
  const who = language.say(own.who_may, { roles: rolesText(language, rolesWith(site, needs)) })
  const main = html`${paragraph(who)}
${linkButton(language.say(own.back_to, { name: isolated(shortened(organization.name)) }), pathIn(site, organization))}`
  return { page: 'organization-forbidden', kind: 'account', heading: own.forbidden, main, status: 403 }
}

/** Leads back to the organization. */
export function backTo(
  site: Site,
  { client: { language } }: PageVisit,
  organization: Organization,
): NonNullable<View['back']> {
  const { back_to } = language.texts.pages.organization_pages
  return {
    to: pathIn(site, organization),
    label: language.say(back_to, { name: isolated(shortened(organization.name)) }),
  }
}

/** Characters of a name in a link. */
const longestInLink = 30

function shortened(name: string): string {
  const characters = [...name]
  return characters.length <= longestInLink ? name : `${characters.slice(0, longestInLink - 1).join('')}…`
}
