import { account_pages } from './account-pages.js'
import { entrance_pages } from './entrance-pages.js'
import { frame } from './frame.js'
import { link_pages } from './link-pages.js'
import { organization_pages } from './organization-pages.js'
import { sign_up_pages } from './sign-up-pages.js'
import { way_pages } from './way-pages.js'

export const fr = {
  pages: { account_pages, entrance_pages, frame, link_pages, organization_pages, sign_up_pages, way_pages },
}
