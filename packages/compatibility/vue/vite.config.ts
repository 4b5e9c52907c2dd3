import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue()],
  server: { proxy: { '/accounts': process.env.ACCOUNTS_URL ?? 'http://127.0.0.1:3000' } },
})
