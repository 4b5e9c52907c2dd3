import type { Translated } from 'fastify-accounts/features'
import type { link_pages as en } from '../en/link-pages.js'

export const link_pages: Translated<typeof en> = {}
