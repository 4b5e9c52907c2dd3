import type { Translated } from 'fastify-accounts/features'
import type { way_pages as en } from '../en/way-pages.js'

export const way_pages: Translated<typeof en> = {}
