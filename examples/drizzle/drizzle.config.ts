import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/tables.ts', './src/workspaces.ts'],
  dbCredentials: { url: process.env.DATABASE_URL ?? '' },
})
