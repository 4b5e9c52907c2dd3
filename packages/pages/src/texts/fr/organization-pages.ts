import type { Translated } from 'fastify-accounts/features'
import type { organization_pages as en } from '../en/organization-pages.js'

export const organization_pages: Translated<typeof en> = {}
