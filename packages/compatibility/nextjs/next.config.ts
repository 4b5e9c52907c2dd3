import type { NextConfig } from 'next'

const service = process.env.ACCOUNTS_URL ?? 'http://127.0.0.1:3000'

export default {
  // The service's paths end in a slash.
  skipTrailingSlashRedirect: true,
  rewrites: async () => [{ source: '/accounts/:path(.*)', destination: `${service}/accounts/:path` }],
} satisfies NextConfig
